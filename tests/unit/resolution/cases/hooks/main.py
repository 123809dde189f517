class Job:
    def run(self):
        self.before()
        self.work()

    def before(self):
        raise NotImplementedError

    def work(self):
        raise NotImplementedError


class Quiet(Job):
    def before(self):
        pass


class Copy(Quiet):
    def work(self):
        pass


class Move(Quiet):
    def work(self):
        pass


def start(job: Job):
    job.run()
