abstract class Job {
  abstract run(): void;
  start() {
    this.run();
    // ^ calls: abstract_classes.Job.run, abstract_classes.Mail.run
  }
}
class Mail extends Job {
  run() {}
}
new Mail().start();
// ^ calls: abstract_classes.Mail, abstract_classes.Job.start
