package flow

type Task struct{ done chan *Task }

func (t *Task) Run() error { return nil }
func (t *Task) Stop()      {}

func all() map[string]*Task { return nil }

func start(t *Task) {
	defer t.Stop()
	// ^ calls: flow.Task.Stop
	go t.Run()
	// ^ calls: flow.Task.Run
	go func() {
		t.Stop()
		// ^ calls: flow.Task.Stop
	}()
	for _, one := range all() {
		// ^ calls: flow.all
		one.Run()
		// ^ calls: flow.Task.Run
	}
	for one := range t.done {
		one.Run()
		// ^ calls: flow.Task.Run
	}
	if one, ok := all()["x"]; ok {
		// ^ calls: flow.all
		one.Stop()
		// ^ calls: flow.Task.Stop
	}
	select {
	case one := <-t.done:
		one.Stop()
		// ^ calls: flow.Task.Stop
	case t.done <- all()["y"]:
		// ^ calls: flow.all
	}
	if err := t.Run(); err != nil {
		// ^ calls: flow.Task.Run
		err.Error()
		// ^ calls: error.Error
	}
}
