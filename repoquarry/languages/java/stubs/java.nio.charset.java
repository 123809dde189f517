package java.nio.charset;
class CharacterCodingException extends java.io.IOException {
 CharacterCodingException() {}
}
abstract class Charset implements java.lang.Comparable<java.nio.charset.Charset> {
 Charset(java.lang.String p0, java.lang.String[] p1) {}
 abstract boolean contains(java.nio.charset.Charset p0);
 abstract java.nio.charset.CharsetDecoder newDecoder();
 abstract java.nio.charset.CharsetEncoder newEncoder();
 native boolean canEncode();
 native final boolean equals(java.lang.Object p0);
 native final boolean isRegistered();
 native final int compareTo(java.nio.charset.Charset p0);
 native final int hashCode();
 native final java.lang.String name();
 native final java.lang.String toString();
 native final java.nio.ByteBuffer encode(java.lang.String p0);
 native final java.nio.ByteBuffer encode(java.nio.CharBuffer p0);
 native final java.nio.CharBuffer decode(java.nio.ByteBuffer p0);
 native final java.util.Set<java.lang.String> aliases();
 native java.lang.String displayName();
 native java.lang.String displayName(java.util.Locale p0);
 static native boolean isSupported(java.lang.String p0);
 static native java.nio.charset.Charset defaultCharset();
 static native java.nio.charset.Charset forName(java.lang.String p0);
 static native java.util.SortedMap<java.lang.String, java.nio.charset.Charset> availableCharsets();
}
abstract class CharsetDecoder {
 CharsetDecoder(java.nio.charset.Charset p0, float p1, float p2) {}
 abstract java.nio.charset.CoderResult decodeLoop(java.nio.ByteBuffer p0, java.nio.CharBuffer p1);
 native java.nio.charset.CoderResult implFlush(java.nio.CharBuffer p0);
 native void implOnMalformedInput(java.nio.charset.CodingErrorAction p0);
 native void implOnUnmappableCharacter(java.nio.charset.CodingErrorAction p0);
 native void implReplaceWith(java.lang.String p0);
 native void implReset();
 native boolean isAutoDetecting();
 native boolean isCharsetDetected();
 native final float averageCharsPerByte();
 native final float maxCharsPerByte();
 native final java.lang.String replacement();
 native final java.nio.CharBuffer decode(java.nio.ByteBuffer p0);
 native final java.nio.charset.Charset charset();
 native final java.nio.charset.CharsetDecoder onMalformedInput(java.nio.charset.CodingErrorAction p0);
 native final java.nio.charset.CharsetDecoder onUnmappableCharacter(java.nio.charset.CodingErrorAction p0);
 native final java.nio.charset.CharsetDecoder replaceWith(java.lang.String p0);
 native final java.nio.charset.CharsetDecoder reset();
 native final java.nio.charset.CoderResult decode(java.nio.ByteBuffer p0, java.nio.CharBuffer p1, boolean p2);
 native final java.nio.charset.CoderResult flush(java.nio.CharBuffer p0);
 native java.nio.charset.Charset detectedCharset();
 native java.nio.charset.CodingErrorAction malformedInputAction();
 native java.nio.charset.CodingErrorAction unmappableCharacterAction();
}
abstract class CharsetEncoder {
 CharsetEncoder(java.nio.charset.Charset p0, float p1, float p2) {}
 CharsetEncoder(java.nio.charset.Charset p0, float p1, float p2, byte[] p3) {}
 abstract java.nio.charset.CoderResult encodeLoop(java.nio.CharBuffer p0, java.nio.ByteBuffer p1);
 native java.nio.charset.CoderResult implFlush(java.nio.ByteBuffer p0);
 native void implOnMalformedInput(java.nio.charset.CodingErrorAction p0);
 native void implOnUnmappableCharacter(java.nio.charset.CodingErrorAction p0);
 native void implReplaceWith(byte[] p0);
 native void implReset();
 native boolean canEncode(char p0);
 native boolean canEncode(java.lang.CharSequence p0);
 native boolean isLegalReplacement(byte[] p0);
 native final byte[] replacement();
 native final float averageBytesPerChar();
 native final float maxBytesPerChar();
 native final java.nio.ByteBuffer encode(java.nio.CharBuffer p0);
 native final java.nio.charset.Charset charset();
 native final java.nio.charset.CharsetEncoder onMalformedInput(java.nio.charset.CodingErrorAction p0);
 native final java.nio.charset.CharsetEncoder onUnmappableCharacter(java.nio.charset.CodingErrorAction p0);
 native final java.nio.charset.CharsetEncoder replaceWith(byte[] p0);
 native final java.nio.charset.CharsetEncoder reset();
 native final java.nio.charset.CoderResult encode(java.nio.CharBuffer p0, java.nio.ByteBuffer p1, boolean p2);
 native final java.nio.charset.CoderResult flush(java.nio.ByteBuffer p0);
 native java.nio.charset.CodingErrorAction malformedInputAction();
 native java.nio.charset.CodingErrorAction unmappableCharacterAction();
}
class CoderMalfunctionError extends java.lang.Error {
 CoderMalfunctionError(java.lang.Exception p0) {}
}
class CoderResult {
 static java.nio.charset.CoderResult OVERFLOW;
 static java.nio.charset.CoderResult UNDERFLOW;
 native boolean isError();
 native boolean isMalformed();
 native boolean isOverflow();
 native boolean isUnderflow();
 native boolean isUnmappable();
 native int length();
 native java.lang.String toString();
 static native java.nio.charset.CoderResult malformedForLength(int p0);
 static native java.nio.charset.CoderResult unmappableForLength(int p0);
 native void throwException();
}
class CodingErrorAction {
 static java.nio.charset.CodingErrorAction IGNORE;
 static java.nio.charset.CodingErrorAction REPLACE;
 static java.nio.charset.CodingErrorAction REPORT;
 native java.lang.String toString();
}
class IllegalCharsetNameException extends java.lang.IllegalArgumentException {
 IllegalCharsetNameException(java.lang.String p0) {}
 native java.lang.String getCharsetName();
}
class MalformedInputException extends java.nio.charset.CharacterCodingException {
 MalformedInputException(int p0) {}
 native int getInputLength();
 native java.lang.String getMessage();
}
class StandardCharsets {
 static java.nio.charset.Charset ISO_8859_1;
 static java.nio.charset.Charset US_ASCII;
 static java.nio.charset.Charset UTF_16;
 static java.nio.charset.Charset UTF_16BE;
 static java.nio.charset.Charset UTF_16LE;
 static java.nio.charset.Charset UTF_8;
}
class UnmappableCharacterException extends java.nio.charset.CharacterCodingException {
 UnmappableCharacterException(int p0) {}
 native int getInputLength();
 native java.lang.String getMessage();
}
class UnsupportedCharsetException extends java.lang.IllegalArgumentException {
 UnsupportedCharsetException(java.lang.String p0) {}
 native java.lang.String getCharsetName();
}
