package tools

type Hammer struct{ Weight int }

func New() *Hammer { return &Hammer{} }

func (h *Hammer) Hit() *Hammer { return h }
