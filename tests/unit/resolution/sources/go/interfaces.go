package shop

type Namer interface{ Name() string }

type Seller interface {
	Namer
	Sell(count int) error
}

type Kiosk struct{}

func (k *Kiosk) Name() string         { return "kiosk" }
func (k *Kiosk) Sell(count int) error { return nil }

type Market struct{ Kiosk }

func (m *Market) Sell(count int) error { return nil }

// Other has the names but not the types: it implements nothing.
type Other struct{}

func (o *Other) Name() int  { return 1 }
func (o *Other) Sell() bool { return true }

func open(s Seller, n Namer) {
	s.Sell(1)
	// ^ calls: shop.Seller.Sell, shop.Kiosk.Sell, shop.Market.Sell
	s.Name()
	// ^ calls: shop.Namer.Name, shop.Kiosk.Name
	n.(*Kiosk).Sell(2)
	// ^ calls: shop.Kiosk.Sell
}
