package closures

type Job struct{ run func() *Job }

func (j *Job) Start() *Job { return j }

func each(jobs []*Job, visit func(*Job)) {
	for _, job := range jobs {
		visit(job)
		// ^ unresolved: unknown value
	}
}

func use(job *Job) {
	start := func(other *Job) *Job {
		return other.Start()
		// ^ calls: closures.Job.Start
	}
	start(job).Start()
	// ^ calls: closures.Job.Start
	func() {
		job.Start()
		// ^ calls: closures.Job.Start
	}()
	each(nil, func(one *Job) { one.Start() })
	// ^ calls: closures.each, closures.Job.Start
	job.run().Start()
	// ^ calls: closures.Job.Start
	// ^ unresolved: unknown value
	var later func() *Job
	later().Start()
	// ^ calls: closures.Job.Start
	// ^ unresolved: unknown value
}
