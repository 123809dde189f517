package http

type Handler interface{ ServeHTTP(w ResponseWriter, r *Request) }
type RoundTripper interface{ RoundTrip(r *Request) (*Response, error) }
type Flusher interface{ Flush() }
type ResponseWriter interface {
	Header() Header
	Write(data []byte) (int, error)
	WriteHeader(statusCode int)
}
