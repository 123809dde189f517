package java.util.zip;
class Adler32 implements java.util.zip.Checksum {
 Adler32() {}
 native long getValue();
 native void reset();
 native void update(byte[] p0, int p1, int p2);
 native void update(int p0);
 native void update(java.nio.ByteBuffer p0);
}
class CRC32 implements java.util.zip.Checksum {
 CRC32() {}
 native long getValue();
 native void reset();
 native void update(byte[] p0, int p1, int p2);
 native void update(int p0);
 native void update(java.nio.ByteBuffer p0);
}
class CRC32C implements java.util.zip.Checksum {
 CRC32C() {}
 native long getValue();
 native void reset();
 native void update(byte[] p0, int p1, int p2);
 native void update(int p0);
 native void update(java.nio.ByteBuffer p0);
}
class CheckedInputStream extends java.io.FilterInputStream {
 CheckedInputStream(java.io.InputStream p0, java.util.zip.Checksum p1) {}
 native int read();
 native int read(byte[] p0, int p1, int p2);
 native java.util.zip.Checksum getChecksum();
 native long skip(long p0);
}
class CheckedOutputStream extends java.io.FilterOutputStream {
 CheckedOutputStream(java.io.OutputStream p0, java.util.zip.Checksum p1) {}
 native java.util.zip.Checksum getChecksum();
 native void write(byte[] p0, int p1, int p2);
 native void write(int p0);
}
interface Checksum {
 long getValue();
 void reset();
 void update(byte[] p0, int p1, int p2);
 void update(int p0);
 default void update(byte[] p0) {}
 default void update(java.nio.ByteBuffer p0) {}
}
class DataFormatException extends java.lang.Exception {
 DataFormatException() {}
 DataFormatException(java.lang.String p0) {}
}
class Deflater {
 static int BEST_COMPRESSION;
 static int BEST_SPEED;
 static int DEFAULT_COMPRESSION;
 static int DEFAULT_STRATEGY;
 static int DEFLATED;
 static int FILTERED;
 static int FULL_FLUSH;
 static int HUFFMAN_ONLY;
 static int NO_COMPRESSION;
 static int NO_FLUSH;
 static int SYNC_FLUSH;
 Deflater() {}
 Deflater(int p0) {}
 Deflater(int p0, boolean p1) {}
 native boolean finished();
 native boolean needsInput();
 native int deflate(byte[] p0);
 native int deflate(byte[] p0, int p1, int p2);
 native int deflate(byte[] p0, int p1, int p2, int p3);
 native int deflate(java.nio.ByteBuffer p0);
 native int deflate(java.nio.ByteBuffer p0, int p1);
 native int getAdler();
 native int getTotalIn();
 native int getTotalOut();
 native long getBytesRead();
 native long getBytesWritten();
 native void end();
 native void finish();
 native void reset();
 native void setDictionary(byte[] p0);
 native void setDictionary(byte[] p0, int p1, int p2);
 native void setDictionary(java.nio.ByteBuffer p0);
 native void setInput(byte[] p0);
 native void setInput(byte[] p0, int p1, int p2);
 native void setInput(java.nio.ByteBuffer p0);
 native void setLevel(int p0);
 native void setStrategy(int p0);
}
class DeflaterInputStream extends java.io.FilterInputStream {
 byte[] buf;
 java.util.zip.Deflater def;
 DeflaterInputStream(java.io.InputStream p0) {}
 DeflaterInputStream(java.io.InputStream p0, java.util.zip.Deflater p1) {}
 DeflaterInputStream(java.io.InputStream p0, java.util.zip.Deflater p1, int p2) {}
 native boolean markSupported();
 native int available();
 native int read();
 native int read(byte[] p0, int p1, int p2);
 native long skip(long p0);
 native void close();
 native void mark(int p0);
 native void reset();
}
class DeflaterOutputStream extends java.io.FilterOutputStream {
 byte[] buf;
 java.util.zip.Deflater def;
 DeflaterOutputStream(java.io.OutputStream p0) {}
 DeflaterOutputStream(java.io.OutputStream p0, boolean p1) {}
 DeflaterOutputStream(java.io.OutputStream p0, java.util.zip.Deflater p1) {}
 DeflaterOutputStream(java.io.OutputStream p0, java.util.zip.Deflater p1, boolean p2) {}
 DeflaterOutputStream(java.io.OutputStream p0, java.util.zip.Deflater p1, int p2) {}
 DeflaterOutputStream(java.io.OutputStream p0, java.util.zip.Deflater p1, int p2, boolean p3) {}
 native void deflate();
 native void close();
 native void finish();
 native void flush();
 native void write(byte[] p0, int p1, int p2);
 native void write(int p0);
}
class GZIPInputStream extends java.util.zip.InflaterInputStream {
 boolean eos;
 java.util.zip.CRC32 crc;
 static int GZIP_MAGIC;
 GZIPInputStream(java.io.InputStream p0) {}
 GZIPInputStream(java.io.InputStream p0, int p1) {}
 native int read(byte[] p0, int p1, int p2);
 native void close();
}
class GZIPOutputStream extends java.util.zip.DeflaterOutputStream {
 java.util.zip.CRC32 crc;
 GZIPOutputStream(java.io.OutputStream p0) {}
 GZIPOutputStream(java.io.OutputStream p0, boolean p1) {}
 GZIPOutputStream(java.io.OutputStream p0, int p1) {}
 GZIPOutputStream(java.io.OutputStream p0, int p1, boolean p2) {}
 native void write(byte[] p0, int p1, int p2);
 native void finish();
}
class Inflater {
 Inflater() {}
 Inflater(boolean p0) {}
 native boolean finished();
 native boolean needsDictionary();
 native boolean needsInput();
 native int getAdler();
 native int getRemaining();
 native int getTotalIn();
 native int getTotalOut();
 native int inflate(byte[] p0);
 native int inflate(byte[] p0, int p1, int p2);
 native int inflate(java.nio.ByteBuffer p0);
 native long getBytesRead();
 native long getBytesWritten();
 native void end();
 native void reset();
 native void setDictionary(byte[] p0);
 native void setDictionary(byte[] p0, int p1, int p2);
 native void setDictionary(java.nio.ByteBuffer p0);
 native void setInput(byte[] p0);
 native void setInput(byte[] p0, int p1, int p2);
 native void setInput(java.nio.ByteBuffer p0);
}
class InflaterInputStream extends java.io.FilterInputStream {
 byte[] buf;
 int len;
 java.util.zip.Inflater inf;
 InflaterInputStream(java.io.InputStream p0) {}
 InflaterInputStream(java.io.InputStream p0, java.util.zip.Inflater p1) {}
 InflaterInputStream(java.io.InputStream p0, java.util.zip.Inflater p1, int p2) {}
 native void fill();
 native boolean markSupported();
 native int available();
 native int read();
 native int read(byte[] p0, int p1, int p2);
 native long skip(long p0);
 native void mark(int p0);
 native void reset();
 native void close();
}
class InflaterOutputStream extends java.io.FilterOutputStream {
 byte[] buf;
 java.util.zip.Inflater inf;
 InflaterOutputStream(java.io.OutputStream p0) {}
 InflaterOutputStream(java.io.OutputStream p0, java.util.zip.Inflater p1) {}
 InflaterOutputStream(java.io.OutputStream p0, java.util.zip.Inflater p1, int p2) {}
 native void close();
 native void finish();
 native void flush();
 native void write(byte[] p0, int p1, int p2);
 native void write(int p0);
}
class ZipEntry implements java.lang.Cloneable {
 static int DEFLATED;
 static int STORED;
 ZipEntry(java.lang.String p0) {}
 ZipEntry(java.util.zip.ZipEntry p0) {}
 native boolean isDirectory();
 native byte[] getExtra();
 native int getMethod();
 native int hashCode();
 native java.lang.Object clone();
 native java.lang.String getComment();
 native java.lang.String getName();
 native java.lang.String toString();
 native java.nio.file.attribute.FileTime getCreationTime();
 native java.nio.file.attribute.FileTime getLastAccessTime();
 native java.nio.file.attribute.FileTime getLastModifiedTime();
 native java.time.LocalDateTime getTimeLocal();
 native java.util.zip.ZipEntry setCreationTime(java.nio.file.attribute.FileTime p0);
 native java.util.zip.ZipEntry setLastAccessTime(java.nio.file.attribute.FileTime p0);
 native java.util.zip.ZipEntry setLastModifiedTime(java.nio.file.attribute.FileTime p0);
 native long getCompressedSize();
 native long getCrc();
 native long getSize();
 native long getTime();
 native void setComment(java.lang.String p0);
 native void setCompressedSize(long p0);
 native void setCrc(long p0);
 native void setExtra(byte[] p0);
 native void setMethod(int p0);
 native void setSize(long p0);
 native void setTime(long p0);
 native void setTimeLocal(java.time.LocalDateTime p0);
}
class ZipError extends java.lang.InternalError {
 ZipError(java.lang.String p0) {}
}
class ZipException extends java.io.IOException {
 ZipException() {}
 ZipException(java.lang.String p0) {}
}
class ZipFile implements java.io.Closeable {
 static int OPEN_DELETE;
 static int OPEN_READ;
 ZipFile(java.io.File p0) {}
 ZipFile(java.io.File p0, int p1) {}
 ZipFile(java.io.File p0, int p1, java.nio.charset.Charset p2) {}
 ZipFile(java.io.File p0, java.nio.charset.Charset p1) {}
 ZipFile(java.lang.String p0) {}
 ZipFile(java.lang.String p0, java.nio.charset.Charset p1) {}
 native int size();
 native java.io.InputStream getInputStream(java.util.zip.ZipEntry p0);
 native java.lang.String getComment();
 native java.lang.String getName();
 native java.util.Enumeration<? extends java.util.zip.ZipEntry> entries();
 native java.util.stream.Stream<? extends java.util.zip.ZipEntry> stream();
 native java.util.zip.ZipEntry getEntry(java.lang.String p0);
 native void close();
}
class ZipInputStream extends java.util.zip.InflaterInputStream {
 ZipInputStream(java.io.InputStream p0) {}
 ZipInputStream(java.io.InputStream p0, java.nio.charset.Charset p1) {}
 native java.util.zip.ZipEntry createZipEntry(java.lang.String p0);
 native int available();
 native int read(byte[] p0, int p1, int p2);
 native java.util.zip.ZipEntry getNextEntry();
 native long skip(long p0);
 native void close();
 native void closeEntry();
}
class ZipOutputStream extends java.util.zip.DeflaterOutputStream {
 static int DEFLATED;
 static int STORED;
 ZipOutputStream(java.io.OutputStream p0) {}
 ZipOutputStream(java.io.OutputStream p0, java.nio.charset.Charset p1) {}
 native void write(byte[] p0, int p1, int p2);
 native void close();
 native void closeEntry();
 native void finish();
 native void putNextEntry(java.util.zip.ZipEntry p0);
 native void setComment(java.lang.String p0);
 native void setLevel(int p0);
 native void setMethod(int p0);
}
