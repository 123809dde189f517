package io

type Reader interface{ Read(p []byte) (n int, err error) }
type Writer interface{ Write(p []byte) (n int, err error) }
type Closer interface{ Close() error }
type Seeker interface{ Seek(offset int64, whence int) (int64, error) }
type ReaderAt interface{ ReadAt(p []byte, off int64) (n int, err error) }
type ReaderFrom interface{ ReadFrom(r Reader) (n int64, err error) }
type WriterTo interface{ WriteTo(w Writer) (n int64, err error) }
