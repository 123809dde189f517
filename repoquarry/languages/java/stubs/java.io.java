package java.io;
class BufferedInputStream extends java.io.FilterInputStream {
 int count;
 int marklimit;
 int markpos;
 int pos;
 byte[] buf;
 BufferedInputStream(java.io.InputStream p0) {}
 BufferedInputStream(java.io.InputStream p0, int p1) {}
 native boolean markSupported();
 native int available();
 native int read();
 native int read(byte[] p0, int p1, int p2);
 native long skip(long p0);
 native void mark(int p0);
 native void reset();
 native void close();
}
class BufferedOutputStream extends java.io.FilterOutputStream {
 byte[] buf;
 int count;
 BufferedOutputStream(java.io.OutputStream p0) {}
 BufferedOutputStream(java.io.OutputStream p0, int p1) {}
 native void flush();
 native void write(byte[] p0, int p1, int p2);
 native void write(int p0);
}
class BufferedReader extends java.io.Reader {
 BufferedReader(java.io.Reader p0) {}
 BufferedReader(java.io.Reader p0, int p1) {}
 native boolean markSupported();
 native boolean ready();
 native int read();
 native int read(char[] p0, int p1, int p2);
 native java.lang.String readLine();
 native java.util.stream.Stream<java.lang.String> lines();
 native long skip(long p0);
 native void close();
 native void mark(int p0);
 native void reset();
}
class BufferedWriter extends java.io.Writer {
 BufferedWriter(java.io.Writer p0) {}
 BufferedWriter(java.io.Writer p0, int p1) {}
 native void close();
 native void flush();
 native void newLine();
 native void write(char[] p0, int p1, int p2);
 native void write(int p0);
 native void write(java.lang.String p0, int p1, int p2);
}
class ByteArrayInputStream extends java.io.InputStream {
 byte[] buf;
 int count;
 int mark;
 int pos;
 ByteArrayInputStream(byte[] p0) {}
 ByteArrayInputStream(byte[] p0, int p1, int p2) {}
 native boolean markSupported();
 native int readNBytes(byte[] p0, int p1, int p2);
 native byte[] readAllBytes();
 native int available();
 native int read();
 native int read(byte[] p0, int p1, int p2);
 native long skip(long p0);
 native long transferTo(java.io.OutputStream p0);
 native void reset();
 native void close();
 native void mark(int p0);
}
class ByteArrayOutputStream extends java.io.OutputStream {
 byte[] buf;
 int count;
 ByteArrayOutputStream() {}
 ByteArrayOutputStream(int p0) {}
 native byte[] toByteArray();
 native int size();
 native java.lang.String toString();
 native java.lang.String toString(int p0);
 native java.lang.String toString(java.lang.String p0);
 native java.lang.String toString(java.nio.charset.Charset p0);
 native void reset();
 native void write(byte[] p0, int p1, int p2);
 native void write(int p0);
 native void writeTo(java.io.OutputStream p0);
 native void close();
 native void writeBytes(byte[] p0);
}
class CharArrayReader extends java.io.Reader {
 char[] buf;
 int count;
 int markedPos;
 int pos;
 CharArrayReader(char[] p0) {}
 CharArrayReader(char[] p0, int p1, int p2) {}
 native boolean markSupported();
 native boolean ready();
 native int read();
 native int read(char[] p0, int p1, int p2);
 native int read(java.nio.CharBuffer p0);
 native long skip(long p0);
 native void close();
 native void mark(int p0);
 native void reset();
}
class CharArrayWriter extends java.io.Writer {
 char[] buf;
 int count;
 CharArrayWriter() {}
 CharArrayWriter(int p0) {}
 native char[] toCharArray();
 native int size();
 native java.io.CharArrayWriter append(char p0);
 native java.io.CharArrayWriter append(java.lang.CharSequence p0);
 native java.io.CharArrayWriter append(java.lang.CharSequence p0, int p1, int p2);
 native java.lang.String toString();
 native void close();
 native void flush();
 native void reset();
 native void write(char[] p0, int p1, int p2);
 native void write(int p0);
 native void write(java.lang.String p0, int p1, int p2);
 native void writeTo(java.io.Writer p0);
}
class CharConversionException extends java.io.IOException {
 CharConversionException() {}
 CharConversionException(java.lang.String p0) {}
}
interface Closeable extends java.lang.AutoCloseable {
 void close();
}
class Console implements java.io.Flushable {
 native char[] readPassword();
 native char[] readPassword(java.lang.String p0, java.lang.Object... p1);
 native java.io.Console format(java.lang.String p0, java.lang.Object... p1);
 native java.io.Console printf(java.lang.String p0, java.lang.Object... p1);
 native java.io.PrintWriter writer();
 native java.io.Reader reader();
 native java.lang.String readLine();
 native java.lang.String readLine(java.lang.String p0, java.lang.Object... p1);
 native java.nio.charset.Charset charset();
 native void flush();
}
interface DataInput {
 boolean readBoolean();
 byte readByte();
 char readChar();
 double readDouble();
 float readFloat();
 int readInt();
 int readUnsignedByte();
 int readUnsignedShort();
 int skipBytes(int p0);
 java.lang.String readLine();
 java.lang.String readUTF();
 long readLong();
 short readShort();
 void readFully(byte[] p0);
 void readFully(byte[] p0, int p1, int p2);
}
class DataInputStream extends java.io.FilterInputStream implements java.io.DataInput {
 DataInputStream(java.io.InputStream p0) {}
 native final boolean readBoolean();
 native final byte readByte();
 native final char readChar();
 native final double readDouble();
 native final float readFloat();
 native final int read(byte[] p0);
 native final int read(byte[] p0, int p1, int p2);
 native final int readInt();
 native final int readUnsignedByte();
 native final int readUnsignedShort();
 native final int skipBytes(int p0);
 native final java.lang.String readLine();
 native final java.lang.String readUTF();
 native final long readLong();
 native final short readShort();
 native final void readFully(byte[] p0);
 native final void readFully(byte[] p0, int p1, int p2);
 static native final java.lang.String readUTF(java.io.DataInput p0);
}
interface DataOutput {
 void write(byte[] p0);
 void write(byte[] p0, int p1, int p2);
 void write(int p0);
 void writeBoolean(boolean p0);
 void writeByte(int p0);
 void writeBytes(java.lang.String p0);
 void writeChar(int p0);
 void writeChars(java.lang.String p0);
 void writeDouble(double p0);
 void writeFloat(float p0);
 void writeInt(int p0);
 void writeLong(long p0);
 void writeShort(int p0);
 void writeUTF(java.lang.String p0);
}
class DataOutputStream extends java.io.FilterOutputStream implements java.io.DataOutput {
 int written;
 DataOutputStream(java.io.OutputStream p0) {}
 native final int size();
 native final void writeBoolean(boolean p0);
 native final void writeByte(int p0);
 native final void writeBytes(java.lang.String p0);
 native final void writeChar(int p0);
 native final void writeChars(java.lang.String p0);
 native final void writeDouble(double p0);
 native final void writeFloat(float p0);
 native final void writeInt(int p0);
 native final void writeLong(long p0);
 native final void writeShort(int p0);
 native final void writeUTF(java.lang.String p0);
 native void write(byte[] p0, int p1, int p2);
 native void write(int p0);
 native void flush();
}
class EOFException extends java.io.IOException {
 EOFException() {}
 EOFException(java.lang.String p0) {}
}
interface Externalizable extends java.io.Serializable {
 void readExternal(java.io.ObjectInput p0);
 void writeExternal(java.io.ObjectOutput p0);
}
class File implements java.io.Serializable, java.lang.Comparable<java.io.File> {
 static char pathSeparatorChar;
 static char separatorChar;
 static java.lang.String pathSeparator;
 static java.lang.String separator;
 File(java.io.File p0, java.lang.String p1) {}
 File(java.lang.String p0) {}
 File(java.lang.String p0, java.lang.String p1) {}
 File(java.net.URI p0) {}
 native boolean canExecute();
 native boolean canRead();
 native boolean canWrite();
 native boolean createNewFile();
 native boolean delete();
 native boolean equals(java.lang.Object p0);
 native boolean exists();
 native boolean isAbsolute();
 native boolean isDirectory();
 native boolean isFile();
 native boolean isHidden();
 native boolean mkdir();
 native boolean mkdirs();
 native boolean renameTo(java.io.File p0);
 native boolean setExecutable(boolean p0);
 native boolean setExecutable(boolean p0, boolean p1);
 native boolean setLastModified(long p0);
 native boolean setReadOnly();
 native boolean setReadable(boolean p0);
 native boolean setReadable(boolean p0, boolean p1);
 native boolean setWritable(boolean p0);
 native boolean setWritable(boolean p0, boolean p1);
 native int compareTo(java.io.File p0);
 native int hashCode();
 native java.io.File getAbsoluteFile();
 native java.io.File getCanonicalFile();
 native java.io.File getParentFile();
 native java.io.File[] listFiles();
 native java.io.File[] listFiles(java.io.FileFilter p0);
 native java.io.File[] listFiles(java.io.FilenameFilter p0);
 native java.lang.String getAbsolutePath();
 native java.lang.String getCanonicalPath();
 native java.lang.String getName();
 native java.lang.String getParent();
 native java.lang.String getPath();
 native java.lang.String toString();
 native java.lang.String[] list();
 native java.lang.String[] list(java.io.FilenameFilter p0);
 native java.net.URI toURI();
 native java.net.URL toURL();
 native java.nio.file.Path toPath();
 native long getFreeSpace();
 native long getTotalSpace();
 native long getUsableSpace();
 native long lastModified();
 native long length();
 static native java.io.File createTempFile(java.lang.String p0, java.lang.String p1);
 static native java.io.File createTempFile(java.lang.String p0, java.lang.String p1, java.io.File p2);
 static native java.io.File[] listRoots();
 native void deleteOnExit();
}
class FileDescriptor {
 static java.io.FileDescriptor err;
 static java.io.FileDescriptor in;
 static java.io.FileDescriptor out;
 FileDescriptor() {}
 native boolean valid();
 native void sync();
}
interface FileFilter {
 boolean accept(java.io.File p0);
}
class FileInputStream extends java.io.InputStream {
 FileInputStream(java.io.File p0) {}
 FileInputStream(java.io.FileDescriptor p0) {}
 FileInputStream(java.lang.String p0) {}
 native byte[] readAllBytes();
 native byte[] readNBytes(int p0);
 native final java.io.FileDescriptor getFD();
 native int available();
 native int read();
 native int read(byte[] p0);
 native int read(byte[] p0, int p1, int p2);
 native java.nio.channels.FileChannel getChannel();
 native long skip(long p0);
 native void close();
}
class FileNotFoundException extends java.io.IOException {
 FileNotFoundException() {}
 FileNotFoundException(java.lang.String p0) {}
}
class FileOutputStream extends java.io.OutputStream {
 FileOutputStream(java.io.File p0) {}
 FileOutputStream(java.io.File p0, boolean p1) {}
 FileOutputStream(java.io.FileDescriptor p0) {}
 FileOutputStream(java.lang.String p0) {}
 FileOutputStream(java.lang.String p0, boolean p1) {}
 native final java.io.FileDescriptor getFD();
 native java.nio.channels.FileChannel getChannel();
 native void close();
 native void write(byte[] p0);
 native void write(byte[] p0, int p1, int p2);
 native void write(int p0);
}
class FilePermission extends java.security.Permission implements java.io.Serializable {
 FilePermission(java.lang.String p0, java.lang.String p1) {}
 native boolean equals(java.lang.Object p0);
 native boolean implies(java.security.Permission p0);
 native int hashCode();
 native java.lang.String getActions();
 native java.security.PermissionCollection newPermissionCollection();
}
class FileReader extends java.io.InputStreamReader {
 FileReader(java.io.File p0) {}
 FileReader(java.io.File p0, java.nio.charset.Charset p1) {}
 FileReader(java.io.FileDescriptor p0) {}
 FileReader(java.lang.String p0) {}
 FileReader(java.lang.String p0, java.nio.charset.Charset p1) {}
}
class FileWriter extends java.io.OutputStreamWriter {
 FileWriter(java.io.File p0) {}
 FileWriter(java.io.File p0, boolean p1) {}
 FileWriter(java.io.File p0, java.nio.charset.Charset p1) {}
 FileWriter(java.io.File p0, java.nio.charset.Charset p1, boolean p2) {}
 FileWriter(java.io.FileDescriptor p0) {}
 FileWriter(java.lang.String p0) {}
 FileWriter(java.lang.String p0, boolean p1) {}
 FileWriter(java.lang.String p0, java.nio.charset.Charset p1) {}
 FileWriter(java.lang.String p0, java.nio.charset.Charset p1, boolean p2) {}
}
interface FilenameFilter {
 boolean accept(java.io.File p0, java.lang.String p1);
}
class FilterInputStream extends java.io.InputStream {
 java.io.InputStream in;
 FilterInputStream(java.io.InputStream p0) {}
 native boolean markSupported();
 native int available();
 native int read();
 native int read(byte[] p0);
 native int read(byte[] p0, int p1, int p2);
 native long skip(long p0);
 native void mark(int p0);
 native void reset();
 native void close();
}
class FilterOutputStream extends java.io.OutputStream {
 java.io.OutputStream out;
 FilterOutputStream(java.io.OutputStream p0) {}
 native void close();
 native void flush();
 native void write(byte[] p0);
 native void write(byte[] p0, int p1, int p2);
 native void write(int p0);
}
abstract class FilterReader extends java.io.Reader {
 java.io.Reader in;
 FilterReader(java.io.Reader p0) {}
 native boolean markSupported();
 native boolean ready();
 native int read();
 native int read(char[] p0, int p1, int p2);
 native long skip(long p0);
 native void close();
 native void mark(int p0);
 native void reset();
}
abstract class FilterWriter extends java.io.Writer {
 java.io.Writer out;
 FilterWriter(java.io.Writer p0) {}
 native void close();
 native void flush();
 native void write(char[] p0, int p1, int p2);
 native void write(int p0);
 native void write(java.lang.String p0, int p1, int p2);
}
interface Flushable {
 void flush();
}
class IOError extends java.lang.Error {
 IOError(java.lang.Throwable p0) {}
}
class IOException extends java.lang.Exception {
 IOException() {}
 IOException(java.lang.String p0) {}
 IOException(java.lang.String p0, java.lang.Throwable p1) {}
 IOException(java.lang.Throwable p0) {}
}
abstract class InputStream implements java.io.Closeable {
 InputStream() {}
 abstract int read();
 native boolean markSupported();
 native byte[] readAllBytes();
 native byte[] readNBytes(int p0);
 native int available();
 native int read(byte[] p0);
 native int read(byte[] p0, int p1, int p2);
 native int readNBytes(byte[] p0, int p1, int p2);
 native long skip(long p0);
 native long transferTo(java.io.OutputStream p0);
 static native java.io.InputStream nullInputStream();
 native void mark(int p0);
 native void reset();
 native void close();
 native void skipNBytes(long p0);
}
class InputStreamReader extends java.io.Reader {
 InputStreamReader(java.io.InputStream p0) {}
 InputStreamReader(java.io.InputStream p0, java.lang.String p1) {}
 InputStreamReader(java.io.InputStream p0, java.nio.charset.Charset p1) {}
 InputStreamReader(java.io.InputStream p0, java.nio.charset.CharsetDecoder p1) {}
 native boolean ready();
 native int read();
 native int read(char[] p0, int p1, int p2);
 native int read(java.nio.CharBuffer p0);
 native java.lang.String getEncoding();
 native void close();
}
class InterruptedIOException extends java.io.IOException {
 int bytesTransferred;
 InterruptedIOException() {}
 InterruptedIOException(java.lang.String p0) {}
}
class InvalidClassException extends java.io.ObjectStreamException {
 java.lang.String classname;
 InvalidClassException(java.lang.String p0) {}
 InvalidClassException(java.lang.String p0, java.lang.String p1) {}
 native java.lang.String getMessage();
}
class InvalidObjectException extends java.io.ObjectStreamException {
 InvalidObjectException(java.lang.String p0) {}
}
class LineNumberInputStream extends java.io.FilterInputStream {
 LineNumberInputStream(java.io.InputStream p0) {}
 native int available();
 native int getLineNumber();
 native int read();
 native int read(byte[] p0, int p1, int p2);
 native long skip(long p0);
 native void mark(int p0);
 native void reset();
 native void setLineNumber(int p0);
}
class LineNumberReader extends java.io.BufferedReader {
 LineNumberReader(java.io.Reader p0) {}
 LineNumberReader(java.io.Reader p0, int p1) {}
 native int getLineNumber();
 native int read();
 native int read(char[] p0, int p1, int p2);
 native java.lang.String readLine();
 native long skip(long p0);
 native void mark(int p0);
 native void reset();
 native void setLineNumber(int p0);
}
class NotActiveException extends java.io.ObjectStreamException {
 NotActiveException() {}
 NotActiveException(java.lang.String p0) {}
}
class NotSerializableException extends java.io.ObjectStreamException {
 NotSerializableException() {}
 NotSerializableException(java.lang.String p0) {}
}
interface ObjectInput extends java.io.DataInput, java.lang.AutoCloseable {
 int available();
 int read();
 int read(byte[] p0);
 int read(byte[] p0, int p1, int p2);
 java.lang.Object readObject();
 long skip(long p0);
 void close();
}
interface ObjectInputFilter {
 java.io.ObjectInputFilter.Status checkInput(java.io.ObjectInputFilter.FilterInfo p0);
 static java.io.ObjectInputFilter allowFilter(java.util.function.Predicate<java.lang.Class<?>> p0, java.io.ObjectInputFilter.Status p1) {}
 static java.io.ObjectInputFilter merge(java.io.ObjectInputFilter p0, java.io.ObjectInputFilter p1) {}
 static java.io.ObjectInputFilter rejectFilter(java.util.function.Predicate<java.lang.Class<?>> p0, java.io.ObjectInputFilter.Status p1) {}
 static java.io.ObjectInputFilter rejectUndecidedClass(java.io.ObjectInputFilter p0) {}
 static class Config {
  static native java.io.ObjectInputFilter createFilter(java.lang.String p0);
  static native java.io.ObjectInputFilter getSerialFilter();
  static native java.util.function.BinaryOperator<java.io.ObjectInputFilter> getSerialFilterFactory();
  static native void setSerialFilter(java.io.ObjectInputFilter p0);
  static native void setSerialFilterFactory(java.util.function.BinaryOperator<java.io.ObjectInputFilter> p0);
 }
 static enum Status {
  UNDECIDED, ALLOWED, REJECTED;
 }
 static interface FilterInfo {
  java.lang.Class<?> serialClass();
  long arrayLength();
  long depth();
  long references();
  long streamBytes();
 }
}
class ObjectInputStream extends java.io.InputStream implements java.io.ObjectInput, java.io.ObjectStreamConstants {
 ObjectInputStream() {}
 ObjectInputStream(java.io.InputStream p0) {}
 native boolean enableResolveObject(boolean p0);
 native java.io.ObjectStreamClass readClassDescriptor();
 native java.lang.Class<?> resolveClass(java.io.ObjectStreamClass p0);
 native java.lang.Class<?> resolveProxyClass(java.lang.String[] p0);
 native java.lang.Object readObjectOverride();
 native java.lang.Object resolveObject(java.lang.Object p0);
 native void readStreamHeader();
 native boolean readBoolean();
 native byte readByte();
 native char readChar();
 native double readDouble();
 native final java.io.ObjectInputFilter getObjectInputFilter();
 native final java.lang.Object readObject();
 native final void setObjectInputFilter(java.io.ObjectInputFilter p0);
 native float readFloat();
 native int available();
 native int read();
 native int read(byte[] p0, int p1, int p2);
 native int readInt();
 native int readUnsignedByte();
 native int readUnsignedShort();
 native int skipBytes(int p0);
 native java.io.ObjectInputStream.GetField readFields();
 native java.lang.Object readUnshared();
 native java.lang.String readLine();
 native java.lang.String readUTF();
 native long readLong();
 native short readShort();
 native void close();
 native void defaultReadObject();
 native void readFully(byte[] p0);
 native void readFully(byte[] p0, int p1, int p2);
 native void registerValidation(java.io.ObjectInputValidation p0, int p1);
 abstract static class GetField {
  GetField() {}
  abstract boolean defaulted(java.lang.String p0);
  abstract boolean get(java.lang.String p0, boolean p1);
  abstract byte get(java.lang.String p0, byte p1);
  abstract char get(java.lang.String p0, char p1);
  abstract double get(java.lang.String p0, double p1);
  abstract float get(java.lang.String p0, float p1);
  abstract int get(java.lang.String p0, int p1);
  abstract java.io.ObjectStreamClass getObjectStreamClass();
  abstract java.lang.Object get(java.lang.String p0, java.lang.Object p1);
  abstract long get(java.lang.String p0, long p1);
  abstract short get(java.lang.String p0, short p1);
 }
}
interface ObjectInputValidation {
 void validateObject();
}
interface ObjectOutput extends java.io.DataOutput, java.lang.AutoCloseable {
 void close();
 void flush();
 void write(byte[] p0);
 void write(byte[] p0, int p1, int p2);
 void write(int p0);
 void writeObject(java.lang.Object p0);
}
class ObjectOutputStream extends java.io.OutputStream implements java.io.ObjectOutput, java.io.ObjectStreamConstants {
 ObjectOutputStream() {}
 ObjectOutputStream(java.io.OutputStream p0) {}
 native boolean enableReplaceObject(boolean p0);
 native java.lang.Object replaceObject(java.lang.Object p0);
 native void annotateClass(java.lang.Class<?> p0);
 native void annotateProxyClass(java.lang.Class<?> p0);
 native void drain();
 native void writeClassDescriptor(java.io.ObjectStreamClass p0);
 native void writeObjectOverride(java.lang.Object p0);
 native void writeStreamHeader();
 native final void writeObject(java.lang.Object p0);
 native java.io.ObjectOutputStream.PutField putFields();
 native void close();
 native void defaultWriteObject();
 native void flush();
 native void reset();
 native void useProtocolVersion(int p0);
 native void write(byte[] p0);
 native void write(byte[] p0, int p1, int p2);
 native void write(int p0);
 native void writeBoolean(boolean p0);
 native void writeByte(int p0);
 native void writeBytes(java.lang.String p0);
 native void writeChar(int p0);
 native void writeChars(java.lang.String p0);
 native void writeDouble(double p0);
 native void writeFields();
 native void writeFloat(float p0);
 native void writeInt(int p0);
 native void writeLong(long p0);
 native void writeShort(int p0);
 native void writeUTF(java.lang.String p0);
 native void writeUnshared(java.lang.Object p0);
 abstract static class PutField {
  PutField() {}
  abstract void put(java.lang.String p0, boolean p1);
  abstract void put(java.lang.String p0, byte p1);
  abstract void put(java.lang.String p0, char p1);
  abstract void put(java.lang.String p0, double p1);
  abstract void put(java.lang.String p0, float p1);
  abstract void put(java.lang.String p0, int p1);
  abstract void put(java.lang.String p0, java.lang.Object p1);
  abstract void put(java.lang.String p0, long p1);
  abstract void put(java.lang.String p0, short p1);
  abstract void write(java.io.ObjectOutput p0);
 }
}
class ObjectStreamClass implements java.io.Serializable {
 static java.io.ObjectStreamField[] NO_FIELDS;
 native java.io.ObjectStreamField getField(java.lang.String p0);
 native java.io.ObjectStreamField[] getFields();
 native java.lang.Class<?> forClass();
 native java.lang.String getName();
 native java.lang.String toString();
 native long getSerialVersionUID();
 static native java.io.ObjectStreamClass lookup(java.lang.Class<?> p0);
 static native java.io.ObjectStreamClass lookupAny(java.lang.Class<?> p0);
}
interface ObjectStreamConstants {
 static byte SC_BLOCK_DATA;
 static byte SC_ENUM;
 static byte SC_EXTERNALIZABLE;
 static byte SC_SERIALIZABLE;
 static byte SC_WRITE_METHOD;
 static byte TC_ARRAY;
 static byte TC_BASE;
 static byte TC_BLOCKDATA;
 static byte TC_BLOCKDATALONG;
 static byte TC_CLASS;
 static byte TC_CLASSDESC;
 static byte TC_ENDBLOCKDATA;
 static byte TC_ENUM;
 static byte TC_EXCEPTION;
 static byte TC_LONGSTRING;
 static byte TC_MAX;
 static byte TC_NULL;
 static byte TC_OBJECT;
 static byte TC_PROXYCLASSDESC;
 static byte TC_REFERENCE;
 static byte TC_RESET;
 static byte TC_STRING;
 static int PROTOCOL_VERSION_1;
 static int PROTOCOL_VERSION_2;
 static int baseWireHandle;
 static java.io.SerializablePermission SERIAL_FILTER_PERMISSION;
 static java.io.SerializablePermission SUBCLASS_IMPLEMENTATION_PERMISSION;
 static java.io.SerializablePermission SUBSTITUTION_PERMISSION;
 static short STREAM_MAGIC;
 static short STREAM_VERSION;
}
abstract class ObjectStreamException extends java.io.IOException {
 ObjectStreamException() {}
 ObjectStreamException(java.lang.String p0) {}
}
class ObjectStreamField implements java.lang.Comparable<java.lang.Object> {
 ObjectStreamField(java.lang.String p0, java.lang.Class<?> p1) {}
 ObjectStreamField(java.lang.String p0, java.lang.Class<?> p1, boolean p2) {}
 native void setOffset(int p0);
 native boolean isPrimitive();
 native boolean isUnshared();
 native char getTypeCode();
 native int compareTo(java.lang.Object p0);
 native int getOffset();
 native java.lang.Class<?> getType();
 native java.lang.String getName();
 native java.lang.String getTypeString();
 native java.lang.String toString();
}
class OptionalDataException extends java.io.ObjectStreamException {
 boolean eof;
 int length;
}
abstract class OutputStream implements java.io.Closeable, java.io.Flushable {
 OutputStream() {}
 abstract void write(int p0);
 static native java.io.OutputStream nullOutputStream();
 native void close();
 native void flush();
 native void write(byte[] p0);
 native void write(byte[] p0, int p1, int p2);
}
class OutputStreamWriter extends java.io.Writer {
 OutputStreamWriter(java.io.OutputStream p0) {}
 OutputStreamWriter(java.io.OutputStream p0, java.lang.String p1) {}
 OutputStreamWriter(java.io.OutputStream p0, java.nio.charset.Charset p1) {}
 OutputStreamWriter(java.io.OutputStream p0, java.nio.charset.CharsetEncoder p1) {}
 native java.io.Writer append(java.lang.CharSequence p0);
 native java.io.Writer append(java.lang.CharSequence p0, int p1, int p2);
 native java.lang.String getEncoding();
 native void close();
 native void flush();
 native void write(char[] p0, int p1, int p2);
 native void write(int p0);
 native void write(java.lang.String p0, int p1, int p2);
}
class PipedInputStream extends java.io.InputStream {
 byte[] buffer;
 int in;
 int out;
 static int PIPE_SIZE;
 PipedInputStream() {}
 PipedInputStream(int p0) {}
 PipedInputStream(java.io.PipedOutputStream p0) {}
 PipedInputStream(java.io.PipedOutputStream p0, int p1) {}
 native void receive(int p0);
 native int available();
 native int read();
 native int read(byte[] p0, int p1, int p2);
 native void close();
 native void connect(java.io.PipedOutputStream p0);
}
class PipedOutputStream extends java.io.OutputStream {
 PipedOutputStream() {}
 PipedOutputStream(java.io.PipedInputStream p0) {}
 native void connect(java.io.PipedInputStream p0);
 native void flush();
 native void close();
 native void write(byte[] p0, int p1, int p2);
 native void write(int p0);
}
class PipedReader extends java.io.Reader {
 PipedReader() {}
 PipedReader(int p0) {}
 PipedReader(java.io.PipedWriter p0) {}
 PipedReader(java.io.PipedWriter p0, int p1) {}
 native boolean ready();
 native int read();
 native int read(char[] p0, int p1, int p2);
 native void close();
 native void connect(java.io.PipedWriter p0);
}
class PipedWriter extends java.io.Writer {
 PipedWriter() {}
 PipedWriter(java.io.PipedReader p0) {}
 native void connect(java.io.PipedReader p0);
 native void flush();
 native void close();
 native void write(char[] p0, int p1, int p2);
 native void write(int p0);
}
class PrintStream extends java.io.FilterOutputStream implements java.lang.Appendable, java.io.Closeable {
 PrintStream(java.io.File p0) {}
 PrintStream(java.io.File p0, java.lang.String p1) {}
 PrintStream(java.io.File p0, java.nio.charset.Charset p1) {}
 PrintStream(java.io.OutputStream p0) {}
 PrintStream(java.io.OutputStream p0, boolean p1) {}
 PrintStream(java.io.OutputStream p0, boolean p1, java.lang.String p2) {}
 PrintStream(java.io.OutputStream p0, boolean p1, java.nio.charset.Charset p2) {}
 PrintStream(java.lang.String p0) {}
 PrintStream(java.lang.String p0, java.lang.String p1) {}
 PrintStream(java.lang.String p0, java.nio.charset.Charset p1) {}
 native void clearError();
 native void setError();
 native boolean checkError();
 native java.io.PrintStream append(char p0);
 native java.io.PrintStream append(java.lang.CharSequence p0);
 native java.io.PrintStream append(java.lang.CharSequence p0, int p1, int p2);
 native java.io.PrintStream format(java.lang.String p0, java.lang.Object... p1);
 native java.io.PrintStream format(java.util.Locale p0, java.lang.String p1, java.lang.Object... p2);
 native java.io.PrintStream printf(java.lang.String p0, java.lang.Object... p1);
 native java.io.PrintStream printf(java.util.Locale p0, java.lang.String p1, java.lang.Object... p2);
 native void close();
 native void flush();
 native void print(boolean p0);
 native void print(char p0);
 native void print(char[] p0);
 native void print(double p0);
 native void print(float p0);
 native void print(int p0);
 native void print(java.lang.Object p0);
 native void print(java.lang.String p0);
 native void print(long p0);
 native void println();
 native void println(boolean p0);
 native void println(char p0);
 native void println(char[] p0);
 native void println(double p0);
 native void println(float p0);
 native void println(int p0);
 native void println(java.lang.Object p0);
 native void println(java.lang.String p0);
 native void println(long p0);
 native void write(byte[] p0);
 native void write(byte[] p0, int p1, int p2);
 native void write(int p0);
 native void writeBytes(byte[] p0);
}
class PrintWriter extends java.io.Writer {
 java.io.Writer out;
 PrintWriter(java.io.File p0) {}
 PrintWriter(java.io.File p0, java.lang.String p1) {}
 PrintWriter(java.io.File p0, java.nio.charset.Charset p1) {}
 PrintWriter(java.io.OutputStream p0) {}
 PrintWriter(java.io.OutputStream p0, boolean p1) {}
 PrintWriter(java.io.OutputStream p0, boolean p1, java.nio.charset.Charset p2) {}
 PrintWriter(java.io.Writer p0) {}
 PrintWriter(java.io.Writer p0, boolean p1) {}
 PrintWriter(java.lang.String p0) {}
 PrintWriter(java.lang.String p0, java.lang.String p1) {}
 PrintWriter(java.lang.String p0, java.nio.charset.Charset p1) {}
 native void clearError();
 native void setError();
 native boolean checkError();
 native java.io.PrintWriter append(char p0);
 native java.io.PrintWriter append(java.lang.CharSequence p0);
 native java.io.PrintWriter append(java.lang.CharSequence p0, int p1, int p2);
 native java.io.PrintWriter format(java.lang.String p0, java.lang.Object... p1);
 native java.io.PrintWriter format(java.util.Locale p0, java.lang.String p1, java.lang.Object... p2);
 native java.io.PrintWriter printf(java.lang.String p0, java.lang.Object... p1);
 native java.io.PrintWriter printf(java.util.Locale p0, java.lang.String p1, java.lang.Object... p2);
 native void close();
 native void flush();
 native void print(boolean p0);
 native void print(char p0);
 native void print(char[] p0);
 native void print(double p0);
 native void print(float p0);
 native void print(int p0);
 native void print(java.lang.Object p0);
 native void print(java.lang.String p0);
 native void print(long p0);
 native void println();
 native void println(boolean p0);
 native void println(char p0);
 native void println(char[] p0);
 native void println(double p0);
 native void println(float p0);
 native void println(int p0);
 native void println(java.lang.Object p0);
 native void println(java.lang.String p0);
 native void println(long p0);
 native void write(char[] p0);
 native void write(char[] p0, int p1, int p2);
 native void write(int p0);
 native void write(java.lang.String p0);
 native void write(java.lang.String p0, int p1, int p2);
}
class PushbackInputStream extends java.io.FilterInputStream {
 byte[] buf;
 int pos;
 PushbackInputStream(java.io.InputStream p0) {}
 PushbackInputStream(java.io.InputStream p0, int p1) {}
 native boolean markSupported();
 native int available();
 native int read();
 native int read(byte[] p0, int p1, int p2);
 native long skip(long p0);
 native void close();
 native void mark(int p0);
 native void reset();
 native void unread(byte[] p0);
 native void unread(byte[] p0, int p1, int p2);
 native void unread(int p0);
}
class PushbackReader extends java.io.FilterReader {
 PushbackReader(java.io.Reader p0) {}
 PushbackReader(java.io.Reader p0, int p1) {}
 native boolean markSupported();
 native boolean ready();
 native int read();
 native int read(char[] p0, int p1, int p2);
 native long skip(long p0);
 native void close();
 native void mark(int p0);
 native void reset();
 native void unread(char[] p0);
 native void unread(char[] p0, int p1, int p2);
 native void unread(int p0);
}
class RandomAccessFile implements java.io.DataOutput, java.io.DataInput, java.io.Closeable {
 RandomAccessFile(java.io.File p0, java.lang.String p1) {}
 RandomAccessFile(java.lang.String p0, java.lang.String p1) {}
 native final boolean readBoolean();
 native final byte readByte();
 native final char readChar();
 native final double readDouble();
 native final float readFloat();
 native final int readInt();
 native final int readUnsignedByte();
 native final int readUnsignedShort();
 native final java.io.FileDescriptor getFD();
 native final java.lang.String readLine();
 native final java.lang.String readUTF();
 native final java.nio.channels.FileChannel getChannel();
 native final long readLong();
 native final short readShort();
 native final void readFully(byte[] p0);
 native final void readFully(byte[] p0, int p1, int p2);
 native final void writeBoolean(boolean p0);
 native final void writeByte(int p0);
 native final void writeBytes(java.lang.String p0);
 native final void writeChar(int p0);
 native final void writeChars(java.lang.String p0);
 native final void writeDouble(double p0);
 native final void writeFloat(float p0);
 native final void writeInt(int p0);
 native final void writeLong(long p0);
 native final void writeShort(int p0);
 native final void writeUTF(java.lang.String p0);
 native int read();
 native int read(byte[] p0);
 native int read(byte[] p0, int p1, int p2);
 native int skipBytes(int p0);
 native long getFilePointer();
 native long length();
 native void setLength(long p0);
 native void close();
 native void seek(long p0);
 native void write(byte[] p0);
 native void write(byte[] p0, int p1, int p2);
 native void write(int p0);
}
abstract class Reader implements java.lang.Readable, java.io.Closeable {
 java.lang.Object lock;
 Reader() {}
 Reader(java.lang.Object p0) {}
 abstract int read(char[] p0, int p1, int p2);
 abstract void close();
 native boolean markSupported();
 native boolean ready();
 native int read();
 native int read(char[] p0);
 native int read(java.nio.CharBuffer p0);
 native long skip(long p0);
 native long transferTo(java.io.Writer p0);
 static native java.io.Reader nullReader();
 native void mark(int p0);
 native void reset();
}
class SequenceInputStream extends java.io.InputStream {
 SequenceInputStream(java.io.InputStream p0, java.io.InputStream p1) {}
 SequenceInputStream(java.util.Enumeration<? extends java.io.InputStream> p0) {}
 native int available();
 native int read();
 native int read(byte[] p0, int p1, int p2);
 native void close();
}
@interface Serial {
}
interface Serializable {
}
class SerializablePermission extends java.security.BasicPermission {
 SerializablePermission(java.lang.String p0) {}
 SerializablePermission(java.lang.String p0, java.lang.String p1) {}
}
class StreamCorruptedException extends java.io.ObjectStreamException {
 StreamCorruptedException() {}
 StreamCorruptedException(java.lang.String p0) {}
}
class StreamTokenizer {
 double nval;
 int ttype;
 java.lang.String sval;
 static int TT_EOF;
 static int TT_EOL;
 static int TT_NUMBER;
 static int TT_WORD;
 StreamTokenizer(java.io.InputStream p0) {}
 StreamTokenizer(java.io.Reader p0) {}
 native int lineno();
 native int nextToken();
 native java.lang.String toString();
 native void commentChar(int p0);
 native void eolIsSignificant(boolean p0);
 native void lowerCaseMode(boolean p0);
 native void ordinaryChar(int p0);
 native void ordinaryChars(int p0, int p1);
 native void parseNumbers();
 native void pushBack();
 native void quoteChar(int p0);
 native void resetSyntax();
 native void slashSlashComments(boolean p0);
 native void slashStarComments(boolean p0);
 native void whitespaceChars(int p0, int p1);
 native void wordChars(int p0, int p1);
}
class StringBufferInputStream extends java.io.InputStream {
 int count;
 int pos;
 java.lang.String buffer;
 StringBufferInputStream(java.lang.String p0) {}
 native int available();
 native int read();
 native int read(byte[] p0, int p1, int p2);
 native long skip(long p0);
 native void reset();
}
class StringReader extends java.io.Reader {
 StringReader(java.lang.String p0) {}
 native boolean markSupported();
 native boolean ready();
 native int read();
 native int read(char[] p0, int p1, int p2);
 native long skip(long p0);
 native void close();
 native void mark(int p0);
 native void reset();
}
class StringWriter extends java.io.Writer {
 StringWriter() {}
 StringWriter(int p0) {}
 native java.io.StringWriter append(char p0);
 native java.io.StringWriter append(java.lang.CharSequence p0);
 native java.io.StringWriter append(java.lang.CharSequence p0, int p1, int p2);
 native java.lang.String toString();
 native java.lang.StringBuffer getBuffer();
 native void close();
 native void flush();
 native void write(char[] p0, int p1, int p2);
 native void write(int p0);
 native void write(java.lang.String p0);
 native void write(java.lang.String p0, int p1, int p2);
}
class SyncFailedException extends java.io.IOException {
 SyncFailedException(java.lang.String p0) {}
}
class UTFDataFormatException extends java.io.IOException {
 UTFDataFormatException() {}
 UTFDataFormatException(java.lang.String p0) {}
}
class UncheckedIOException extends java.lang.RuntimeException {
 UncheckedIOException(java.io.IOException p0) {}
 UncheckedIOException(java.lang.String p0, java.io.IOException p1) {}
 native java.io.IOException getCause();
}
class UnsupportedEncodingException extends java.io.IOException {
 UnsupportedEncodingException() {}
 UnsupportedEncodingException(java.lang.String p0) {}
}
class WriteAbortedException extends java.io.ObjectStreamException {
 java.lang.Exception detail;
 WriteAbortedException(java.lang.String p0, java.lang.Exception p1) {}
 native java.lang.String getMessage();
 native java.lang.Throwable getCause();
}
abstract class Writer implements java.lang.Appendable, java.io.Closeable, java.io.Flushable {
 java.lang.Object lock;
 Writer() {}
 Writer(java.lang.Object p0) {}
 abstract void close();
 abstract void flush();
 abstract void write(char[] p0, int p1, int p2);
 native java.io.Writer append(char p0);
 native java.io.Writer append(java.lang.CharSequence p0);
 native java.io.Writer append(java.lang.CharSequence p0, int p1, int p2);
 static native java.io.Writer nullWriter();
 native void write(char[] p0);
 native void write(int p0);
 native void write(java.lang.String p0);
 native void write(java.lang.String p0, int p1, int p2);
}
