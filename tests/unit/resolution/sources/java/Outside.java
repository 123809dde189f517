import org.acme.Client;
import static org.acme.Checks.ensure;
class Outside extends org.acme.Base {
    Client client = Client.create();
    // ^ calls: org.acme.Client.create
    void run() {
        client.send("a");
        // ^ calls: org.acme.Client.send
        client.reply().length();
        // ^ calls: org.acme.Client.reply
        // ^ unresolved: outside the repository
        ensure(true);
        // ^ calls: org.acme.Checks.ensure
        prepare();
        // ^ calls: org.acme.Base.prepare
        new org.acme.Plan(1);
        // ^ calls: org.acme.Plan
        String.valueOf(1).trim();
        // ^ calls: java.lang.String.trim, java.lang.String.valueOf
        System.out.println("a");
        // ^ calls: java.io.PrintStream.println
    }
}
