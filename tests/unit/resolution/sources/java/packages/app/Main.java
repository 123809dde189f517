package app;
import util.Texts;
import static util.Texts.join;
import static util.Numbers.*;
import util.more.*;
class Main extends Base {
    void run() {
        Texts.trim("a");
        // ^ calls: util.Texts.trim
        join("a");
        // ^ calls: util.Texts.join
        twice(2);
        // ^ calls: util.Numbers.twice
        new Deep().dive();
        // ^ calls: util.more.Deep, util.more.Deep.dive
        new Neighbour().greet();
        // ^ calls: app.Neighbour, app.Neighbour.greet
        inherited();
        // ^ calls: app.Base.inherited
        util.Texts.trim("b");
        // ^ calls: util.Texts.trim
    }
}
