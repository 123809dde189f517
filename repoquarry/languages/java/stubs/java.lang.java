package java.lang;
class AbstractMethodError extends java.lang.IncompatibleClassChangeError {
 AbstractMethodError() {}
 AbstractMethodError(java.lang.String p0) {}
}
abstract class AbstractStringBuilder implements java.lang.Appendable, java.lang.CharSequence {
 abstract java.lang.String toString();
 native char charAt(int p0);
 native int capacity();
 native int codePointAt(int p0);
 native int codePointBefore(int p0);
 native int codePointCount(int p0, int p1);
 native int indexOf(java.lang.String p0);
 native int indexOf(java.lang.String p0, int p1);
 native int lastIndexOf(java.lang.String p0);
 native int lastIndexOf(java.lang.String p0, int p1);
 native int length();
 native int offsetByCodePoints(int p0, int p1);
 native java.lang.AbstractStringBuilder append(boolean p0);
 native java.lang.AbstractStringBuilder append(char p0);
 native java.lang.AbstractStringBuilder append(char[] p0);
 native java.lang.AbstractStringBuilder append(char[] p0, int p1, int p2);
 native java.lang.AbstractStringBuilder append(double p0);
 native java.lang.AbstractStringBuilder append(float p0);
 native java.lang.AbstractStringBuilder append(int p0);
 native java.lang.AbstractStringBuilder append(java.lang.CharSequence p0);
 native java.lang.AbstractStringBuilder append(java.lang.CharSequence p0, int p1, int p2);
 native java.lang.AbstractStringBuilder append(java.lang.Object p0);
 native java.lang.AbstractStringBuilder append(java.lang.String p0);
 native java.lang.AbstractStringBuilder append(java.lang.StringBuffer p0);
 native java.lang.AbstractStringBuilder append(long p0);
 native java.lang.AbstractStringBuilder appendCodePoint(int p0);
 native java.lang.AbstractStringBuilder delete(int p0, int p1);
 native java.lang.AbstractStringBuilder deleteCharAt(int p0);
 native java.lang.AbstractStringBuilder insert(int p0, boolean p1);
 native java.lang.AbstractStringBuilder insert(int p0, char p1);
 native java.lang.AbstractStringBuilder insert(int p0, char[] p1);
 native java.lang.AbstractStringBuilder insert(int p0, char[] p1, int p2, int p3);
 native java.lang.AbstractStringBuilder insert(int p0, double p1);
 native java.lang.AbstractStringBuilder insert(int p0, float p1);
 native java.lang.AbstractStringBuilder insert(int p0, int p1);
 native java.lang.AbstractStringBuilder insert(int p0, java.lang.CharSequence p1);
 native java.lang.AbstractStringBuilder insert(int p0, java.lang.CharSequence p1, int p2, int p3);
 native java.lang.AbstractStringBuilder insert(int p0, java.lang.Object p1);
 native java.lang.AbstractStringBuilder insert(int p0, java.lang.String p1);
 native java.lang.AbstractStringBuilder insert(int p0, long p1);
 native java.lang.AbstractStringBuilder replace(int p0, int p1, java.lang.String p2);
 native java.lang.AbstractStringBuilder reverse();
 native java.lang.CharSequence subSequence(int p0, int p1);
 native java.lang.String substring(int p0);
 native java.lang.String substring(int p0, int p1);
 native java.util.stream.IntStream chars();
 native java.util.stream.IntStream codePoints();
 native void ensureCapacity(int p0);
 native void getChars(int p0, int p1, char[] p2, int p3);
 native void setCharAt(int p0, char p1);
 native void setLength(int p0);
 native void trimToSize();
}
interface Appendable {
 java.lang.Appendable append(char p0);
 java.lang.Appendable append(java.lang.CharSequence p0);
 java.lang.Appendable append(java.lang.CharSequence p0, int p1, int p2);
}
class ArithmeticException extends java.lang.RuntimeException {
 ArithmeticException() {}
 ArithmeticException(java.lang.String p0) {}
}
class ArrayIndexOutOfBoundsException extends java.lang.IndexOutOfBoundsException {
 ArrayIndexOutOfBoundsException() {}
 ArrayIndexOutOfBoundsException(int p0) {}
 ArrayIndexOutOfBoundsException(java.lang.String p0) {}
}
class ArrayStoreException extends java.lang.RuntimeException {
 ArrayStoreException() {}
 ArrayStoreException(java.lang.String p0) {}
}
class AssertionError extends java.lang.Error {
 AssertionError() {}
 AssertionError(boolean p0) {}
 AssertionError(char p0) {}
 AssertionError(double p0) {}
 AssertionError(float p0) {}
 AssertionError(int p0) {}
 AssertionError(java.lang.Object p0) {}
 AssertionError(java.lang.String p0, java.lang.Throwable p1) {}
 AssertionError(long p0) {}
}
interface AutoCloseable {
 void close();
}
class Boolean implements java.io.Serializable, java.lang.Comparable<java.lang.Boolean>, java.lang.constant.Constable {
 static java.lang.Boolean FALSE;
 static java.lang.Boolean TRUE;
 static java.lang.Class<java.lang.Boolean> TYPE;
 Boolean(boolean p0) {}
 Boolean(java.lang.String p0) {}
 native boolean booleanValue();
 native boolean equals(java.lang.Object p0);
 native int compareTo(java.lang.Boolean p0);
 native int hashCode();
 native java.lang.String toString();
 native java.util.Optional<java.lang.constant.DynamicConstantDesc<java.lang.Boolean>> describeConstable();
 static native boolean getBoolean(java.lang.String p0);
 static native boolean logicalAnd(boolean p0, boolean p1);
 static native boolean logicalOr(boolean p0, boolean p1);
 static native boolean logicalXor(boolean p0, boolean p1);
 static native boolean parseBoolean(java.lang.String p0);
 static native int compare(boolean p0, boolean p1);
 static native int hashCode(boolean p0);
 static native java.lang.Boolean valueOf(boolean p0);
 static native java.lang.Boolean valueOf(java.lang.String p0);
 static native java.lang.String toString(boolean p0);
}
class BootstrapMethodError extends java.lang.LinkageError {
 BootstrapMethodError() {}
 BootstrapMethodError(java.lang.String p0) {}
 BootstrapMethodError(java.lang.String p0, java.lang.Throwable p1) {}
 BootstrapMethodError(java.lang.Throwable p0) {}
}
class Byte extends java.lang.Number implements java.lang.Comparable<java.lang.Byte>, java.lang.constant.Constable {
 static byte MAX_VALUE;
 static byte MIN_VALUE;
 static int BYTES;
 static int SIZE;
 static java.lang.Class<java.lang.Byte> TYPE;
 Byte(byte p0) {}
 Byte(java.lang.String p0) {}
 native boolean equals(java.lang.Object p0);
 native byte byteValue();
 native double doubleValue();
 native float floatValue();
 native int compareTo(java.lang.Byte p0);
 native int hashCode();
 native int intValue();
 native java.lang.String toString();
 native java.util.Optional<java.lang.constant.DynamicConstantDesc<java.lang.Byte>> describeConstable();
 native long longValue();
 native short shortValue();
 static native byte parseByte(java.lang.String p0);
 static native byte parseByte(java.lang.String p0, int p1);
 static native int compare(byte p0, byte p1);
 static native int compareUnsigned(byte p0, byte p1);
 static native int hashCode(byte p0);
 static native int toUnsignedInt(byte p0);
 static native java.lang.Byte decode(java.lang.String p0);
 static native java.lang.Byte valueOf(byte p0);
 static native java.lang.Byte valueOf(java.lang.String p0);
 static native java.lang.Byte valueOf(java.lang.String p0, int p1);
 static native java.lang.String toString(byte p0);
 static native long toUnsignedLong(byte p0);
}
interface CharSequence {
 char charAt(int p0);
 int length();
 java.lang.CharSequence subSequence(int p0, int p1);
 java.lang.String toString();
 default boolean isEmpty() {}
 default java.util.stream.IntStream chars() {}
 default java.util.stream.IntStream codePoints() {}
 static int compare(java.lang.CharSequence p0, java.lang.CharSequence p1) {}
}
class Character implements java.io.Serializable, java.lang.Comparable<java.lang.Character>, java.lang.constant.Constable {
 static byte COMBINING_SPACING_MARK;
 static byte CONNECTOR_PUNCTUATION;
 static byte CONTROL;
 static byte CURRENCY_SYMBOL;
 static byte DASH_PUNCTUATION;
 static byte DECIMAL_DIGIT_NUMBER;
 static byte DIRECTIONALITY_ARABIC_NUMBER;
 static byte DIRECTIONALITY_BOUNDARY_NEUTRAL;
 static byte DIRECTIONALITY_COMMON_NUMBER_SEPARATOR;
 static byte DIRECTIONALITY_EUROPEAN_NUMBER;
 static byte DIRECTIONALITY_EUROPEAN_NUMBER_SEPARATOR;
 static byte DIRECTIONALITY_EUROPEAN_NUMBER_TERMINATOR;
 static byte DIRECTIONALITY_FIRST_STRONG_ISOLATE;
 static byte DIRECTIONALITY_LEFT_TO_RIGHT;
 static byte DIRECTIONALITY_LEFT_TO_RIGHT_EMBEDDING;
 static byte DIRECTIONALITY_LEFT_TO_RIGHT_ISOLATE;
 static byte DIRECTIONALITY_LEFT_TO_RIGHT_OVERRIDE;
 static byte DIRECTIONALITY_NONSPACING_MARK;
 static byte DIRECTIONALITY_OTHER_NEUTRALS;
 static byte DIRECTIONALITY_PARAGRAPH_SEPARATOR;
 static byte DIRECTIONALITY_POP_DIRECTIONAL_FORMAT;
 static byte DIRECTIONALITY_POP_DIRECTIONAL_ISOLATE;
 static byte DIRECTIONALITY_RIGHT_TO_LEFT;
 static byte DIRECTIONALITY_RIGHT_TO_LEFT_ARABIC;
 static byte DIRECTIONALITY_RIGHT_TO_LEFT_EMBEDDING;
 static byte DIRECTIONALITY_RIGHT_TO_LEFT_ISOLATE;
 static byte DIRECTIONALITY_RIGHT_TO_LEFT_OVERRIDE;
 static byte DIRECTIONALITY_SEGMENT_SEPARATOR;
 static byte DIRECTIONALITY_UNDEFINED;
 static byte DIRECTIONALITY_WHITESPACE;
 static byte ENCLOSING_MARK;
 static byte END_PUNCTUATION;
 static byte FINAL_QUOTE_PUNCTUATION;
 static byte FORMAT;
 static byte INITIAL_QUOTE_PUNCTUATION;
 static byte LETTER_NUMBER;
 static byte LINE_SEPARATOR;
 static byte LOWERCASE_LETTER;
 static byte MATH_SYMBOL;
 static byte MODIFIER_LETTER;
 static byte MODIFIER_SYMBOL;
 static byte NON_SPACING_MARK;
 static byte OTHER_LETTER;
 static byte OTHER_NUMBER;
 static byte OTHER_PUNCTUATION;
 static byte OTHER_SYMBOL;
 static byte PARAGRAPH_SEPARATOR;
 static byte PRIVATE_USE;
 static byte SPACE_SEPARATOR;
 static byte START_PUNCTUATION;
 static byte SURROGATE;
 static byte TITLECASE_LETTER;
 static byte UNASSIGNED;
 static byte UPPERCASE_LETTER;
 static char MAX_HIGH_SURROGATE;
 static char MAX_LOW_SURROGATE;
 static char MAX_SURROGATE;
 static char MAX_VALUE;
 static char MIN_HIGH_SURROGATE;
 static char MIN_LOW_SURROGATE;
 static char MIN_SURROGATE;
 static char MIN_VALUE;
 static int BYTES;
 static int MAX_CODE_POINT;
 static int MAX_RADIX;
 static int MIN_CODE_POINT;
 static int MIN_RADIX;
 static int MIN_SUPPLEMENTARY_CODE_POINT;
 static int SIZE;
 static java.lang.Class<java.lang.Character> TYPE;
 Character(char p0) {}
 native boolean equals(java.lang.Object p0);
 native char charValue();
 native int compareTo(java.lang.Character p0);
 native int hashCode();
 native java.lang.String toString();
 native java.util.Optional<java.lang.constant.DynamicConstantDesc<java.lang.Character>> describeConstable();
 static native boolean isAlphabetic(int p0);
 static native boolean isBmpCodePoint(int p0);
 static native boolean isDefined(char p0);
 static native boolean isDefined(int p0);
 static native boolean isDigit(char p0);
 static native boolean isDigit(int p0);
 static native boolean isHighSurrogate(char p0);
 static native boolean isISOControl(char p0);
 static native boolean isISOControl(int p0);
 static native boolean isIdentifierIgnorable(char p0);
 static native boolean isIdentifierIgnorable(int p0);
 static native boolean isIdeographic(int p0);
 static native boolean isJavaIdentifierPart(char p0);
 static native boolean isJavaIdentifierPart(int p0);
 static native boolean isJavaIdentifierStart(char p0);
 static native boolean isJavaIdentifierStart(int p0);
 static native boolean isJavaLetter(char p0);
 static native boolean isJavaLetterOrDigit(char p0);
 static native boolean isLetter(char p0);
 static native boolean isLetter(int p0);
 static native boolean isLetterOrDigit(char p0);
 static native boolean isLetterOrDigit(int p0);
 static native boolean isLowSurrogate(char p0);
 static native boolean isLowerCase(char p0);
 static native boolean isLowerCase(int p0);
 static native boolean isMirrored(char p0);
 static native boolean isMirrored(int p0);
 static native boolean isSpace(char p0);
 static native boolean isSpaceChar(char p0);
 static native boolean isSpaceChar(int p0);
 static native boolean isSupplementaryCodePoint(int p0);
 static native boolean isSurrogate(char p0);
 static native boolean isSurrogatePair(char p0, char p1);
 static native boolean isTitleCase(char p0);
 static native boolean isTitleCase(int p0);
 static native boolean isUnicodeIdentifierPart(char p0);
 static native boolean isUnicodeIdentifierPart(int p0);
 static native boolean isUnicodeIdentifierStart(char p0);
 static native boolean isUnicodeIdentifierStart(int p0);
 static native boolean isUpperCase(char p0);
 static native boolean isUpperCase(int p0);
 static native boolean isValidCodePoint(int p0);
 static native boolean isWhitespace(char p0);
 static native boolean isWhitespace(int p0);
 static native byte getDirectionality(char p0);
 static native byte getDirectionality(int p0);
 static native char forDigit(int p0, int p1);
 static native char highSurrogate(int p0);
 static native char lowSurrogate(int p0);
 static native char reverseBytes(char p0);
 static native char toLowerCase(char p0);
 static native char toTitleCase(char p0);
 static native char toUpperCase(char p0);
 static native char[] toChars(int p0);
 static native int charCount(int p0);
 static native int codePointAt(char[] p0, int p1);
 static native int codePointAt(char[] p0, int p1, int p2);
 static native int codePointAt(java.lang.CharSequence p0, int p1);
 static native int codePointBefore(char[] p0, int p1);
 static native int codePointBefore(char[] p0, int p1, int p2);
 static native int codePointBefore(java.lang.CharSequence p0, int p1);
 static native int codePointCount(char[] p0, int p1, int p2);
 static native int codePointCount(java.lang.CharSequence p0, int p1, int p2);
 static native int codePointOf(java.lang.String p0);
 static native int compare(char p0, char p1);
 static native int digit(char p0, int p1);
 static native int digit(int p0, int p1);
 static native int getNumericValue(char p0);
 static native int getNumericValue(int p0);
 static native int getType(char p0);
 static native int getType(int p0);
 static native int hashCode(char p0);
 static native int offsetByCodePoints(char[] p0, int p1, int p2, int p3, int p4);
 static native int offsetByCodePoints(java.lang.CharSequence p0, int p1, int p2);
 static native int toChars(int p0, char[] p1, int p2);
 static native int toCodePoint(char p0, char p1);
 static native int toLowerCase(int p0);
 static native int toTitleCase(int p0);
 static native int toUpperCase(int p0);
 static native java.lang.Character valueOf(char p0);
 static native java.lang.String getName(int p0);
 static native java.lang.String toString(char p0);
 static native java.lang.String toString(int p0);
 static class Subset {
  Subset(java.lang.String p0) {}
  native final boolean equals(java.lang.Object p0);
  native final int hashCode();
  native final java.lang.String toString();
 }
 static class UnicodeBlock extends java.lang.Character.Subset {
  static java.lang.Character.UnicodeBlock ADLAM;
  static java.lang.Character.UnicodeBlock AEGEAN_NUMBERS;
  static java.lang.Character.UnicodeBlock AHOM;
  static java.lang.Character.UnicodeBlock ALCHEMICAL_SYMBOLS;
  static java.lang.Character.UnicodeBlock ALPHABETIC_PRESENTATION_FORMS;
  static java.lang.Character.UnicodeBlock ANATOLIAN_HIEROGLYPHS;
  static java.lang.Character.UnicodeBlock ANCIENT_GREEK_MUSICAL_NOTATION;
  static java.lang.Character.UnicodeBlock ANCIENT_GREEK_NUMBERS;
  static java.lang.Character.UnicodeBlock ANCIENT_SYMBOLS;
  static java.lang.Character.UnicodeBlock ARABIC;
  static java.lang.Character.UnicodeBlock ARABIC_EXTENDED_A;
  static java.lang.Character.UnicodeBlock ARABIC_MATHEMATICAL_ALPHABETIC_SYMBOLS;
  static java.lang.Character.UnicodeBlock ARABIC_PRESENTATION_FORMS_A;
  static java.lang.Character.UnicodeBlock ARABIC_PRESENTATION_FORMS_B;
  static java.lang.Character.UnicodeBlock ARABIC_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock ARMENIAN;
  static java.lang.Character.UnicodeBlock ARROWS;
  static java.lang.Character.UnicodeBlock AVESTAN;
  static java.lang.Character.UnicodeBlock BALINESE;
  static java.lang.Character.UnicodeBlock BAMUM;
  static java.lang.Character.UnicodeBlock BAMUM_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock BASIC_LATIN;
  static java.lang.Character.UnicodeBlock BASSA_VAH;
  static java.lang.Character.UnicodeBlock BATAK;
  static java.lang.Character.UnicodeBlock BENGALI;
  static java.lang.Character.UnicodeBlock BHAIKSUKI;
  static java.lang.Character.UnicodeBlock BLOCK_ELEMENTS;
  static java.lang.Character.UnicodeBlock BOPOMOFO;
  static java.lang.Character.UnicodeBlock BOPOMOFO_EXTENDED;
  static java.lang.Character.UnicodeBlock BOX_DRAWING;
  static java.lang.Character.UnicodeBlock BRAHMI;
  static java.lang.Character.UnicodeBlock BRAILLE_PATTERNS;
  static java.lang.Character.UnicodeBlock BUGINESE;
  static java.lang.Character.UnicodeBlock BUHID;
  static java.lang.Character.UnicodeBlock BYZANTINE_MUSICAL_SYMBOLS;
  static java.lang.Character.UnicodeBlock CARIAN;
  static java.lang.Character.UnicodeBlock CAUCASIAN_ALBANIAN;
  static java.lang.Character.UnicodeBlock CHAKMA;
  static java.lang.Character.UnicodeBlock CHAM;
  static java.lang.Character.UnicodeBlock CHEROKEE;
  static java.lang.Character.UnicodeBlock CHEROKEE_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock CHESS_SYMBOLS;
  static java.lang.Character.UnicodeBlock CHORASMIAN;
  static java.lang.Character.UnicodeBlock CJK_COMPATIBILITY;
  static java.lang.Character.UnicodeBlock CJK_COMPATIBILITY_FORMS;
  static java.lang.Character.UnicodeBlock CJK_COMPATIBILITY_IDEOGRAPHS;
  static java.lang.Character.UnicodeBlock CJK_COMPATIBILITY_IDEOGRAPHS_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock CJK_RADICALS_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock CJK_STROKES;
  static java.lang.Character.UnicodeBlock CJK_SYMBOLS_AND_PUNCTUATION;
  static java.lang.Character.UnicodeBlock CJK_UNIFIED_IDEOGRAPHS;
  static java.lang.Character.UnicodeBlock CJK_UNIFIED_IDEOGRAPHS_EXTENSION_A;
  static java.lang.Character.UnicodeBlock CJK_UNIFIED_IDEOGRAPHS_EXTENSION_B;
  static java.lang.Character.UnicodeBlock CJK_UNIFIED_IDEOGRAPHS_EXTENSION_C;
  static java.lang.Character.UnicodeBlock CJK_UNIFIED_IDEOGRAPHS_EXTENSION_D;
  static java.lang.Character.UnicodeBlock CJK_UNIFIED_IDEOGRAPHS_EXTENSION_E;
  static java.lang.Character.UnicodeBlock CJK_UNIFIED_IDEOGRAPHS_EXTENSION_F;
  static java.lang.Character.UnicodeBlock CJK_UNIFIED_IDEOGRAPHS_EXTENSION_G;
  static java.lang.Character.UnicodeBlock COMBINING_DIACRITICAL_MARKS;
  static java.lang.Character.UnicodeBlock COMBINING_DIACRITICAL_MARKS_EXTENDED;
  static java.lang.Character.UnicodeBlock COMBINING_DIACRITICAL_MARKS_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock COMBINING_HALF_MARKS;
  static java.lang.Character.UnicodeBlock COMBINING_MARKS_FOR_SYMBOLS;
  static java.lang.Character.UnicodeBlock COMMON_INDIC_NUMBER_FORMS;
  static java.lang.Character.UnicodeBlock CONTROL_PICTURES;
  static java.lang.Character.UnicodeBlock COPTIC;
  static java.lang.Character.UnicodeBlock COPTIC_EPACT_NUMBERS;
  static java.lang.Character.UnicodeBlock COUNTING_ROD_NUMERALS;
  static java.lang.Character.UnicodeBlock CUNEIFORM;
  static java.lang.Character.UnicodeBlock CUNEIFORM_NUMBERS_AND_PUNCTUATION;
  static java.lang.Character.UnicodeBlock CURRENCY_SYMBOLS;
  static java.lang.Character.UnicodeBlock CYPRIOT_SYLLABARY;
  static java.lang.Character.UnicodeBlock CYRILLIC;
  static java.lang.Character.UnicodeBlock CYRILLIC_EXTENDED_A;
  static java.lang.Character.UnicodeBlock CYRILLIC_EXTENDED_B;
  static java.lang.Character.UnicodeBlock CYRILLIC_EXTENDED_C;
  static java.lang.Character.UnicodeBlock CYRILLIC_SUPPLEMENTARY;
  static java.lang.Character.UnicodeBlock DESERET;
  static java.lang.Character.UnicodeBlock DEVANAGARI;
  static java.lang.Character.UnicodeBlock DEVANAGARI_EXTENDED;
  static java.lang.Character.UnicodeBlock DINGBATS;
  static java.lang.Character.UnicodeBlock DIVES_AKURU;
  static java.lang.Character.UnicodeBlock DOGRA;
  static java.lang.Character.UnicodeBlock DOMINO_TILES;
  static java.lang.Character.UnicodeBlock DUPLOYAN;
  static java.lang.Character.UnicodeBlock EARLY_DYNASTIC_CUNEIFORM;
  static java.lang.Character.UnicodeBlock EGYPTIAN_HIEROGLYPHS;
  static java.lang.Character.UnicodeBlock EGYPTIAN_HIEROGLYPH_FORMAT_CONTROLS;
  static java.lang.Character.UnicodeBlock ELBASAN;
  static java.lang.Character.UnicodeBlock ELYMAIC;
  static java.lang.Character.UnicodeBlock EMOTICONS;
  static java.lang.Character.UnicodeBlock ENCLOSED_ALPHANUMERICS;
  static java.lang.Character.UnicodeBlock ENCLOSED_ALPHANUMERIC_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock ENCLOSED_CJK_LETTERS_AND_MONTHS;
  static java.lang.Character.UnicodeBlock ENCLOSED_IDEOGRAPHIC_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock ETHIOPIC;
  static java.lang.Character.UnicodeBlock ETHIOPIC_EXTENDED;
  static java.lang.Character.UnicodeBlock ETHIOPIC_EXTENDED_A;
  static java.lang.Character.UnicodeBlock ETHIOPIC_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock GENERAL_PUNCTUATION;
  static java.lang.Character.UnicodeBlock GEOMETRIC_SHAPES;
  static java.lang.Character.UnicodeBlock GEOMETRIC_SHAPES_EXTENDED;
  static java.lang.Character.UnicodeBlock GEORGIAN;
  static java.lang.Character.UnicodeBlock GEORGIAN_EXTENDED;
  static java.lang.Character.UnicodeBlock GEORGIAN_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock GLAGOLITIC;
  static java.lang.Character.UnicodeBlock GLAGOLITIC_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock GOTHIC;
  static java.lang.Character.UnicodeBlock GRANTHA;
  static java.lang.Character.UnicodeBlock GREEK;
  static java.lang.Character.UnicodeBlock GREEK_EXTENDED;
  static java.lang.Character.UnicodeBlock GUJARATI;
  static java.lang.Character.UnicodeBlock GUNJALA_GONDI;
  static java.lang.Character.UnicodeBlock GURMUKHI;
  static java.lang.Character.UnicodeBlock HALFWIDTH_AND_FULLWIDTH_FORMS;
  static java.lang.Character.UnicodeBlock HANGUL_COMPATIBILITY_JAMO;
  static java.lang.Character.UnicodeBlock HANGUL_JAMO;
  static java.lang.Character.UnicodeBlock HANGUL_JAMO_EXTENDED_A;
  static java.lang.Character.UnicodeBlock HANGUL_JAMO_EXTENDED_B;
  static java.lang.Character.UnicodeBlock HANGUL_SYLLABLES;
  static java.lang.Character.UnicodeBlock HANIFI_ROHINGYA;
  static java.lang.Character.UnicodeBlock HANUNOO;
  static java.lang.Character.UnicodeBlock HATRAN;
  static java.lang.Character.UnicodeBlock HEBREW;
  static java.lang.Character.UnicodeBlock HIGH_PRIVATE_USE_SURROGATES;
  static java.lang.Character.UnicodeBlock HIGH_SURROGATES;
  static java.lang.Character.UnicodeBlock HIRAGANA;
  static java.lang.Character.UnicodeBlock IDEOGRAPHIC_DESCRIPTION_CHARACTERS;
  static java.lang.Character.UnicodeBlock IDEOGRAPHIC_SYMBOLS_AND_PUNCTUATION;
  static java.lang.Character.UnicodeBlock IMPERIAL_ARAMAIC;
  static java.lang.Character.UnicodeBlock INDIC_SIYAQ_NUMBERS;
  static java.lang.Character.UnicodeBlock INSCRIPTIONAL_PAHLAVI;
  static java.lang.Character.UnicodeBlock INSCRIPTIONAL_PARTHIAN;
  static java.lang.Character.UnicodeBlock IPA_EXTENSIONS;
  static java.lang.Character.UnicodeBlock JAVANESE;
  static java.lang.Character.UnicodeBlock KAITHI;
  static java.lang.Character.UnicodeBlock KANA_EXTENDED_A;
  static java.lang.Character.UnicodeBlock KANA_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock KANBUN;
  static java.lang.Character.UnicodeBlock KANGXI_RADICALS;
  static java.lang.Character.UnicodeBlock KANNADA;
  static java.lang.Character.UnicodeBlock KATAKANA;
  static java.lang.Character.UnicodeBlock KATAKANA_PHONETIC_EXTENSIONS;
  static java.lang.Character.UnicodeBlock KAYAH_LI;
  static java.lang.Character.UnicodeBlock KHAROSHTHI;
  static java.lang.Character.UnicodeBlock KHITAN_SMALL_SCRIPT;
  static java.lang.Character.UnicodeBlock KHMER;
  static java.lang.Character.UnicodeBlock KHMER_SYMBOLS;
  static java.lang.Character.UnicodeBlock KHOJKI;
  static java.lang.Character.UnicodeBlock KHUDAWADI;
  static java.lang.Character.UnicodeBlock LAO;
  static java.lang.Character.UnicodeBlock LATIN_1_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock LATIN_EXTENDED_A;
  static java.lang.Character.UnicodeBlock LATIN_EXTENDED_ADDITIONAL;
  static java.lang.Character.UnicodeBlock LATIN_EXTENDED_B;
  static java.lang.Character.UnicodeBlock LATIN_EXTENDED_C;
  static java.lang.Character.UnicodeBlock LATIN_EXTENDED_D;
  static java.lang.Character.UnicodeBlock LATIN_EXTENDED_E;
  static java.lang.Character.UnicodeBlock LEPCHA;
  static java.lang.Character.UnicodeBlock LETTERLIKE_SYMBOLS;
  static java.lang.Character.UnicodeBlock LIMBU;
  static java.lang.Character.UnicodeBlock LINEAR_A;
  static java.lang.Character.UnicodeBlock LINEAR_B_IDEOGRAMS;
  static java.lang.Character.UnicodeBlock LINEAR_B_SYLLABARY;
  static java.lang.Character.UnicodeBlock LISU;
  static java.lang.Character.UnicodeBlock LISU_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock LOW_SURROGATES;
  static java.lang.Character.UnicodeBlock LYCIAN;
  static java.lang.Character.UnicodeBlock LYDIAN;
  static java.lang.Character.UnicodeBlock MAHAJANI;
  static java.lang.Character.UnicodeBlock MAHJONG_TILES;
  static java.lang.Character.UnicodeBlock MAKASAR;
  static java.lang.Character.UnicodeBlock MALAYALAM;
  static java.lang.Character.UnicodeBlock MANDAIC;
  static java.lang.Character.UnicodeBlock MANICHAEAN;
  static java.lang.Character.UnicodeBlock MARCHEN;
  static java.lang.Character.UnicodeBlock MASARAM_GONDI;
  static java.lang.Character.UnicodeBlock MATHEMATICAL_ALPHANUMERIC_SYMBOLS;
  static java.lang.Character.UnicodeBlock MATHEMATICAL_OPERATORS;
  static java.lang.Character.UnicodeBlock MAYAN_NUMERALS;
  static java.lang.Character.UnicodeBlock MEDEFAIDRIN;
  static java.lang.Character.UnicodeBlock MEETEI_MAYEK;
  static java.lang.Character.UnicodeBlock MEETEI_MAYEK_EXTENSIONS;
  static java.lang.Character.UnicodeBlock MENDE_KIKAKUI;
  static java.lang.Character.UnicodeBlock MEROITIC_CURSIVE;
  static java.lang.Character.UnicodeBlock MEROITIC_HIEROGLYPHS;
  static java.lang.Character.UnicodeBlock MIAO;
  static java.lang.Character.UnicodeBlock MISCELLANEOUS_MATHEMATICAL_SYMBOLS_A;
  static java.lang.Character.UnicodeBlock MISCELLANEOUS_MATHEMATICAL_SYMBOLS_B;
  static java.lang.Character.UnicodeBlock MISCELLANEOUS_SYMBOLS;
  static java.lang.Character.UnicodeBlock MISCELLANEOUS_SYMBOLS_AND_ARROWS;
  static java.lang.Character.UnicodeBlock MISCELLANEOUS_SYMBOLS_AND_PICTOGRAPHS;
  static java.lang.Character.UnicodeBlock MISCELLANEOUS_TECHNICAL;
  static java.lang.Character.UnicodeBlock MODI;
  static java.lang.Character.UnicodeBlock MODIFIER_TONE_LETTERS;
  static java.lang.Character.UnicodeBlock MONGOLIAN;
  static java.lang.Character.UnicodeBlock MONGOLIAN_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock MRO;
  static java.lang.Character.UnicodeBlock MULTANI;
  static java.lang.Character.UnicodeBlock MUSICAL_SYMBOLS;
  static java.lang.Character.UnicodeBlock MYANMAR;
  static java.lang.Character.UnicodeBlock MYANMAR_EXTENDED_A;
  static java.lang.Character.UnicodeBlock MYANMAR_EXTENDED_B;
  static java.lang.Character.UnicodeBlock NABATAEAN;
  static java.lang.Character.UnicodeBlock NANDINAGARI;
  static java.lang.Character.UnicodeBlock NEWA;
  static java.lang.Character.UnicodeBlock NEW_TAI_LUE;
  static java.lang.Character.UnicodeBlock NKO;
  static java.lang.Character.UnicodeBlock NUMBER_FORMS;
  static java.lang.Character.UnicodeBlock NUSHU;
  static java.lang.Character.UnicodeBlock NYIAKENG_PUACHUE_HMONG;
  static java.lang.Character.UnicodeBlock OGHAM;
  static java.lang.Character.UnicodeBlock OLD_HUNGARIAN;
  static java.lang.Character.UnicodeBlock OLD_ITALIC;
  static java.lang.Character.UnicodeBlock OLD_NORTH_ARABIAN;
  static java.lang.Character.UnicodeBlock OLD_PERMIC;
  static java.lang.Character.UnicodeBlock OLD_PERSIAN;
  static java.lang.Character.UnicodeBlock OLD_SOGDIAN;
  static java.lang.Character.UnicodeBlock OLD_SOUTH_ARABIAN;
  static java.lang.Character.UnicodeBlock OLD_TURKIC;
  static java.lang.Character.UnicodeBlock OL_CHIKI;
  static java.lang.Character.UnicodeBlock OPTICAL_CHARACTER_RECOGNITION;
  static java.lang.Character.UnicodeBlock ORIYA;
  static java.lang.Character.UnicodeBlock ORNAMENTAL_DINGBATS;
  static java.lang.Character.UnicodeBlock OSAGE;
  static java.lang.Character.UnicodeBlock OSMANYA;
  static java.lang.Character.UnicodeBlock OTTOMAN_SIYAQ_NUMBERS;
  static java.lang.Character.UnicodeBlock PAHAWH_HMONG;
  static java.lang.Character.UnicodeBlock PALMYRENE;
  static java.lang.Character.UnicodeBlock PAU_CIN_HAU;
  static java.lang.Character.UnicodeBlock PHAGS_PA;
  static java.lang.Character.UnicodeBlock PHAISTOS_DISC;
  static java.lang.Character.UnicodeBlock PHOENICIAN;
  static java.lang.Character.UnicodeBlock PHONETIC_EXTENSIONS;
  static java.lang.Character.UnicodeBlock PHONETIC_EXTENSIONS_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock PLAYING_CARDS;
  static java.lang.Character.UnicodeBlock PRIVATE_USE_AREA;
  static java.lang.Character.UnicodeBlock PSALTER_PAHLAVI;
  static java.lang.Character.UnicodeBlock REJANG;
  static java.lang.Character.UnicodeBlock RUMI_NUMERAL_SYMBOLS;
  static java.lang.Character.UnicodeBlock RUNIC;
  static java.lang.Character.UnicodeBlock SAMARITAN;
  static java.lang.Character.UnicodeBlock SAURASHTRA;
  static java.lang.Character.UnicodeBlock SHARADA;
  static java.lang.Character.UnicodeBlock SHAVIAN;
  static java.lang.Character.UnicodeBlock SHORTHAND_FORMAT_CONTROLS;
  static java.lang.Character.UnicodeBlock SIDDHAM;
  static java.lang.Character.UnicodeBlock SINHALA;
  static java.lang.Character.UnicodeBlock SINHALA_ARCHAIC_NUMBERS;
  static java.lang.Character.UnicodeBlock SMALL_FORM_VARIANTS;
  static java.lang.Character.UnicodeBlock SMALL_KANA_EXTENSION;
  static java.lang.Character.UnicodeBlock SOGDIAN;
  static java.lang.Character.UnicodeBlock SORA_SOMPENG;
  static java.lang.Character.UnicodeBlock SOYOMBO;
  static java.lang.Character.UnicodeBlock SPACING_MODIFIER_LETTERS;
  static java.lang.Character.UnicodeBlock SPECIALS;
  static java.lang.Character.UnicodeBlock SUNDANESE;
  static java.lang.Character.UnicodeBlock SUNDANESE_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock SUPERSCRIPTS_AND_SUBSCRIPTS;
  static java.lang.Character.UnicodeBlock SUPPLEMENTAL_ARROWS_A;
  static java.lang.Character.UnicodeBlock SUPPLEMENTAL_ARROWS_B;
  static java.lang.Character.UnicodeBlock SUPPLEMENTAL_ARROWS_C;
  static java.lang.Character.UnicodeBlock SUPPLEMENTAL_MATHEMATICAL_OPERATORS;
  static java.lang.Character.UnicodeBlock SUPPLEMENTAL_PUNCTUATION;
  static java.lang.Character.UnicodeBlock SUPPLEMENTAL_SYMBOLS_AND_PICTOGRAPHS;
  static java.lang.Character.UnicodeBlock SUPPLEMENTARY_PRIVATE_USE_AREA_A;
  static java.lang.Character.UnicodeBlock SUPPLEMENTARY_PRIVATE_USE_AREA_B;
  static java.lang.Character.UnicodeBlock SURROGATES_AREA;
  static java.lang.Character.UnicodeBlock SUTTON_SIGNWRITING;
  static java.lang.Character.UnicodeBlock SYLOTI_NAGRI;
  static java.lang.Character.UnicodeBlock SYMBOLS_AND_PICTOGRAPHS_EXTENDED_A;
  static java.lang.Character.UnicodeBlock SYMBOLS_FOR_LEGACY_COMPUTING;
  static java.lang.Character.UnicodeBlock SYRIAC;
  static java.lang.Character.UnicodeBlock SYRIAC_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock TAGALOG;
  static java.lang.Character.UnicodeBlock TAGBANWA;
  static java.lang.Character.UnicodeBlock TAGS;
  static java.lang.Character.UnicodeBlock TAI_LE;
  static java.lang.Character.UnicodeBlock TAI_THAM;
  static java.lang.Character.UnicodeBlock TAI_VIET;
  static java.lang.Character.UnicodeBlock TAI_XUAN_JING_SYMBOLS;
  static java.lang.Character.UnicodeBlock TAKRI;
  static java.lang.Character.UnicodeBlock TAMIL;
  static java.lang.Character.UnicodeBlock TAMIL_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock TANGUT;
  static java.lang.Character.UnicodeBlock TANGUT_COMPONENTS;
  static java.lang.Character.UnicodeBlock TANGUT_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock TELUGU;
  static java.lang.Character.UnicodeBlock THAANA;
  static java.lang.Character.UnicodeBlock THAI;
  static java.lang.Character.UnicodeBlock TIBETAN;
  static java.lang.Character.UnicodeBlock TIFINAGH;
  static java.lang.Character.UnicodeBlock TIRHUTA;
  static java.lang.Character.UnicodeBlock TRANSPORT_AND_MAP_SYMBOLS;
  static java.lang.Character.UnicodeBlock UGARITIC;
  static java.lang.Character.UnicodeBlock UNIFIED_CANADIAN_ABORIGINAL_SYLLABICS;
  static java.lang.Character.UnicodeBlock UNIFIED_CANADIAN_ABORIGINAL_SYLLABICS_EXTENDED;
  static java.lang.Character.UnicodeBlock VAI;
  static java.lang.Character.UnicodeBlock VARIATION_SELECTORS;
  static java.lang.Character.UnicodeBlock VARIATION_SELECTORS_SUPPLEMENT;
  static java.lang.Character.UnicodeBlock VEDIC_EXTENSIONS;
  static java.lang.Character.UnicodeBlock VERTICAL_FORMS;
  static java.lang.Character.UnicodeBlock WANCHO;
  static java.lang.Character.UnicodeBlock WARANG_CITI;
  static java.lang.Character.UnicodeBlock YEZIDI;
  static java.lang.Character.UnicodeBlock YIJING_HEXAGRAM_SYMBOLS;
  static java.lang.Character.UnicodeBlock YI_RADICALS;
  static java.lang.Character.UnicodeBlock YI_SYLLABLES;
  static java.lang.Character.UnicodeBlock ZANABAZAR_SQUARE;
  static native final java.lang.Character.UnicodeBlock forName(java.lang.String p0);
  static native java.lang.Character.UnicodeBlock of(char p0);
  static native java.lang.Character.UnicodeBlock of(int p0);
 }
 static enum UnicodeScript {
  COMMON, LATIN, GREEK, CYRILLIC, ARMENIAN, HEBREW, ARABIC, SYRIAC, THAANA, DEVANAGARI, BENGALI, GURMUKHI, GUJARATI, ORIYA, TAMIL, TELUGU, KANNADA, MALAYALAM, SINHALA, THAI, LAO, TIBETAN, MYANMAR, GEORGIAN, HANGUL, ETHIOPIC, CHEROKEE, CANADIAN_ABORIGINAL, OGHAM, RUNIC, KHMER, MONGOLIAN, HIRAGANA, KATAKANA, BOPOMOFO, HAN, YI, OLD_ITALIC, GOTHIC, DESERET, INHERITED, TAGALOG, HANUNOO, BUHID, TAGBANWA, LIMBU, TAI_LE, LINEAR_B, UGARITIC, SHAVIAN, OSMANYA, CYPRIOT, BRAILLE, BUGINESE, COPTIC, NEW_TAI_LUE, GLAGOLITIC, TIFINAGH, SYLOTI_NAGRI, OLD_PERSIAN, KHAROSHTHI, BALINESE, CUNEIFORM, PHOENICIAN, PHAGS_PA, NKO, SUNDANESE, BATAK, LEPCHA, OL_CHIKI, VAI, SAURASHTRA, KAYAH_LI, REJANG, LYCIAN, CARIAN, LYDIAN, CHAM, TAI_THAM, TAI_VIET, AVESTAN, EGYPTIAN_HIEROGLYPHS, SAMARITAN, MANDAIC, LISU, BAMUM, JAVANESE, MEETEI_MAYEK, IMPERIAL_ARAMAIC, OLD_SOUTH_ARABIAN, INSCRIPTIONAL_PARTHIAN, INSCRIPTIONAL_PAHLAVI, OLD_TURKIC, BRAHMI, KAITHI, MEROITIC_HIEROGLYPHS, MEROITIC_CURSIVE, SORA_SOMPENG, CHAKMA, SHARADA, TAKRI, MIAO, CAUCASIAN_ALBANIAN, BASSA_VAH, DUPLOYAN, ELBASAN, GRANTHA, PAHAWH_HMONG, KHOJKI, LINEAR_A, MAHAJANI, MANICHAEAN, MENDE_KIKAKUI, MODI, MRO, OLD_NORTH_ARABIAN, NABATAEAN, PALMYRENE, PAU_CIN_HAU, OLD_PERMIC, PSALTER_PAHLAVI, SIDDHAM, KHUDAWADI, TIRHUTA, WARANG_CITI, AHOM, ANATOLIAN_HIEROGLYPHS, HATRAN, MULTANI, OLD_HUNGARIAN, SIGNWRITING, ADLAM, BHAIKSUKI, MARCHEN, NEWA, OSAGE, TANGUT, MASARAM_GONDI, NUSHU, SOYOMBO, ZANABAZAR_SQUARE, HANIFI_ROHINGYA, OLD_SOGDIAN, SOGDIAN, DOGRA, GUNJALA_GONDI, MAKASAR, MEDEFAIDRIN, ELYMAIC, NANDINAGARI, NYIAKENG_PUACHUE_HMONG, WANCHO, YEZIDI, CHORASMIAN, DIVES_AKURU, KHITAN_SMALL_SCRIPT, UNKNOWN;
  static native final java.lang.Character.UnicodeScript forName(java.lang.String p0);
  static native java.lang.Character.UnicodeScript of(int p0);
 }
}
class Class<T>  implements java.io.Serializable, java.lang.reflect.GenericDeclaration, java.lang.reflect.Type, java.lang.reflect.AnnotatedElement, java.lang.invoke.TypeDescriptor.OfField<java.lang.Class<?>>, java.lang.constant.Constable {
 native boolean desiredAssertionStatus();
 native boolean isAnnotation();
 native boolean isAnnotationPresent(java.lang.Class<? extends java.lang.annotation.Annotation> p0);
 native boolean isAnonymousClass();
 native boolean isEnum();
 native boolean isLocalClass();
 native boolean isMemberClass();
 native boolean isNestmateOf(java.lang.Class<?> p0);
 native boolean isRecord();
 native boolean isSealed();
 native boolean isSynthetic();
 native java.io.InputStream getResourceAsStream(java.lang.String p0);
 native java.lang.Class<?> arrayType();
 native <U> java.lang.Class<? extends U> asSubclass(java.lang.Class<U> p0);
 native java.lang.Class<?> componentType();
 native java.lang.Class<?> getComponentType();
 native java.lang.Class<?> getDeclaringClass();
 native java.lang.Class<?> getEnclosingClass();
 native java.lang.Class<?> getNestHost();
 native java.lang.ClassLoader getClassLoader();
 native java.lang.Class<?>[] getClasses();
 native java.lang.Class<?>[] getDeclaredClasses();
 native java.lang.Class<?>[] getInterfaces();
 native java.lang.Class<?>[] getNestMembers();
 native java.lang.Class<?>[] getPermittedSubclasses();
 native java.lang.Module getModule();
 native T cast(java.lang.Object p0);
 native T newInstance();
 native T[] getEnumConstants();
 native java.lang.Package getPackage();
 native java.lang.String descriptorString();
 native java.lang.String getCanonicalName();
 native java.lang.String getName();
 native java.lang.String getPackageName();
 native java.lang.String getSimpleName();
 native java.lang.String getTypeName();
 native java.lang.String toGenericString();
 native java.lang.String toString();
 native <A extends java.lang.annotation.Annotation> A getAnnotation(java.lang.Class<A> p0);
 native <A extends java.lang.annotation.Annotation> A getDeclaredAnnotation(java.lang.Class<A> p0);
 native java.lang.annotation.Annotation[] getAnnotations();
 native <A extends java.lang.annotation.Annotation> A[] getAnnotationsByType(java.lang.Class<A> p0);
 native java.lang.annotation.Annotation[] getDeclaredAnnotations();
 native <A extends java.lang.annotation.Annotation> A[] getDeclaredAnnotationsByType(java.lang.Class<A> p0);
 native java.lang.reflect.AnnotatedType getAnnotatedSuperclass();
 native java.lang.reflect.AnnotatedType[] getAnnotatedInterfaces();
 native java.lang.reflect.Constructor<T> getConstructor(java.lang.Class<?>... p0);
 native java.lang.reflect.Constructor<T> getDeclaredConstructor(java.lang.Class<?>... p0);
 native java.lang.reflect.Constructor<?> getEnclosingConstructor();
 native java.lang.reflect.Constructor<?>[] getConstructors();
 native java.lang.reflect.Constructor<?>[] getDeclaredConstructors();
 native java.lang.reflect.Field getDeclaredField(java.lang.String p0);
 native java.lang.reflect.Field getField(java.lang.String p0);
 native java.lang.reflect.Field[] getDeclaredFields();
 native java.lang.reflect.Field[] getFields();
 native java.lang.reflect.Method getDeclaredMethod(java.lang.String p0, java.lang.Class<?>... p1);
 native java.lang.reflect.Method getEnclosingMethod();
 native java.lang.reflect.Method getMethod(java.lang.String p0, java.lang.Class<?>... p1);
 native java.lang.reflect.Method[] getDeclaredMethods();
 native java.lang.reflect.Method[] getMethods();
 native java.lang.reflect.RecordComponent[] getRecordComponents();
 native java.lang.reflect.Type getGenericSuperclass();
 native java.lang.reflect.TypeVariable<java.lang.Class<T>>[] getTypeParameters();
 native java.lang.reflect.Type[] getGenericInterfaces();
 native java.net.URL getResource(java.lang.String p0);
 native java.security.ProtectionDomain getProtectionDomain();
 native java.util.Optional<java.lang.constant.ClassDesc> describeConstable();
 native boolean isArray();
 native boolean isAssignableFrom(java.lang.Class<?> p0);
 native boolean isHidden();
 native boolean isInstance(java.lang.Object p0);
 native boolean isInterface();
 native boolean isPrimitive();
 native int getModifiers();
 native java.lang.Class<? super T> getSuperclass();
 native java.lang.Object[] getSigners();
 static native java.lang.Class<?> forName(java.lang.Module p0, java.lang.String p1);
 static native java.lang.Class<?> forName(java.lang.String p0);
 static native java.lang.Class<?> forName(java.lang.String p0, boolean p1, java.lang.ClassLoader p2);
}
class ClassCastException extends java.lang.RuntimeException {
 ClassCastException() {}
 ClassCastException(java.lang.String p0) {}
}
class ClassCircularityError extends java.lang.LinkageError {
 ClassCircularityError() {}
 ClassCircularityError(java.lang.String p0) {}
}
class ClassFormatError extends java.lang.LinkageError {
 ClassFormatError() {}
 ClassFormatError(java.lang.String p0) {}
}
abstract class ClassLoader {
 ClassLoader() {}
 ClassLoader(java.lang.ClassLoader p0) {}
 ClassLoader(java.lang.String p0, java.lang.ClassLoader p1) {}
 native final java.lang.Class<?> defineClass(byte[] p0, int p1, int p2);
 native final java.lang.Class<?> defineClass(java.lang.String p0, byte[] p1, int p2, int p3);
 native final java.lang.Class<?> defineClass(java.lang.String p0, byte[] p1, int p2, int p3, java.security.ProtectionDomain p4);
 native final java.lang.Class<?> defineClass(java.lang.String p0, java.nio.ByteBuffer p1, java.security.ProtectionDomain p2);
 native final java.lang.Class<?> findLoadedClass(java.lang.String p0);
 native final java.lang.Class<?> findSystemClass(java.lang.String p0);
 native final void resolveClass(java.lang.Class<?> p0);
 native final void setSigners(java.lang.Class<?> p0, java.lang.Object[] p1);
 native java.lang.Class<?> findClass(java.lang.String p0);
 native java.lang.Class<?> findClass(java.lang.String p0, java.lang.String p1);
 native java.lang.Class<?> loadClass(java.lang.String p0, boolean p1);
 native java.lang.Object getClassLoadingLock(java.lang.String p0);
 native java.lang.Package definePackage(java.lang.String p0, java.lang.String p1, java.lang.String p2, java.lang.String p3, java.lang.String p4, java.lang.String p5, java.lang.String p6, java.net.URL p7);
 native java.lang.Package getPackage(java.lang.String p0);
 native java.lang.Package[] getPackages();
 native java.lang.String findLibrary(java.lang.String p0);
 native java.net.URL findResource(java.lang.String p0);
 native java.net.URL findResource(java.lang.String p0, java.lang.String p1);
 native java.util.Enumeration<java.net.URL> findResources(java.lang.String p0);
 static native boolean registerAsParallelCapable();
 native final boolean isRegisteredAsParallelCapable();
 native final java.lang.ClassLoader getParent();
 native final java.lang.Module getUnnamedModule();
 native final java.lang.Package getDefinedPackage(java.lang.String p0);
 native final java.lang.Package[] getDefinedPackages();
 native java.io.InputStream getResourceAsStream(java.lang.String p0);
 native java.lang.Class<?> loadClass(java.lang.String p0);
 native java.lang.String getName();
 native java.net.URL getResource(java.lang.String p0);
 native java.util.Enumeration<java.net.URL> getResources(java.lang.String p0);
 native java.util.stream.Stream<java.net.URL> resources(java.lang.String p0);
 static native java.io.InputStream getSystemResourceAsStream(java.lang.String p0);
 static native java.lang.ClassLoader getPlatformClassLoader();
 static native java.lang.ClassLoader getSystemClassLoader();
 static native java.net.URL getSystemResource(java.lang.String p0);
 static native java.util.Enumeration<java.net.URL> getSystemResources(java.lang.String p0);
 native void clearAssertionStatus();
 native void setClassAssertionStatus(java.lang.String p0, boolean p1);
 native void setDefaultAssertionStatus(boolean p0);
 native void setPackageAssertionStatus(java.lang.String p0, boolean p1);
}
class ClassNotFoundException extends java.lang.ReflectiveOperationException {
 ClassNotFoundException() {}
 ClassNotFoundException(java.lang.String p0) {}
 ClassNotFoundException(java.lang.String p0, java.lang.Throwable p1) {}
 native java.lang.Throwable getException();
}
abstract class ClassValue<T>  {
 ClassValue() {}
 abstract T computeValue(java.lang.Class<?> p0);
 native T get(java.lang.Class<?> p0);
 native void remove(java.lang.Class<?> p0);
}
class CloneNotSupportedException extends java.lang.Exception {
 CloneNotSupportedException() {}
 CloneNotSupportedException(java.lang.String p0) {}
}
interface Cloneable {
}
interface Comparable<T>  {
 int compareTo(T p0);
}
class Compiler {
 static native boolean compileClass(java.lang.Class<?> p0);
 static native boolean compileClasses(java.lang.String p0);
 static native java.lang.Object command(java.lang.Object p0);
 static native void disable();
 static native void enable();
}
@interface Deprecated {
 boolean forRemoval();
 java.lang.String since();
}
class Double extends java.lang.Number implements java.lang.Comparable<java.lang.Double>, java.lang.constant.Constable, java.lang.constant.ConstantDesc {
 static double MAX_VALUE;
 static double MIN_NORMAL;
 static double MIN_VALUE;
 static double NEGATIVE_INFINITY;
 static double NaN;
 static double POSITIVE_INFINITY;
 static int BYTES;
 static int MAX_EXPONENT;
 static int MIN_EXPONENT;
 static int SIZE;
 static java.lang.Class<java.lang.Double> TYPE;
 Double(double p0) {}
 Double(java.lang.String p0) {}
 native boolean equals(java.lang.Object p0);
 native boolean isInfinite();
 native boolean isNaN();
 native byte byteValue();
 native double doubleValue();
 native float floatValue();
 native int compareTo(java.lang.Double p0);
 native int hashCode();
 native int intValue();
 native java.lang.Double resolveConstantDesc(java.lang.invoke.MethodHandles.Lookup p0);
 native java.lang.String toString();
 native java.util.Optional<java.lang.Double> describeConstable();
 native long longValue();
 native short shortValue();
 static native boolean isFinite(double p0);
 static native boolean isInfinite(double p0);
 static native boolean isNaN(double p0);
 static native double max(double p0, double p1);
 static native double min(double p0, double p1);
 static native double parseDouble(java.lang.String p0);
 static native double sum(double p0, double p1);
 static native int compare(double p0, double p1);
 static native int hashCode(double p0);
 static native java.lang.Double valueOf(double p0);
 static native java.lang.Double valueOf(java.lang.String p0);
 static native java.lang.String toHexString(double p0);
 static native java.lang.String toString(double p0);
 static native long doubleToLongBits(double p0);
 static native double longBitsToDouble(long p0);
 static native long doubleToRawLongBits(double p0);
}
abstract class Enum<E extends java.lang.Enum<E>>  implements java.lang.constant.Constable, java.lang.Comparable<E>, java.io.Serializable {
 Enum(java.lang.String p0, int p1) {}
 native final java.lang.Object clone();
 native final void finalize();
 native final boolean equals(java.lang.Object p0);
 native final int compareTo(E p0);
 native final int hashCode();
 native final int ordinal();
 native final java.lang.Class<E> getDeclaringClass();
 native final java.lang.String name();
 native final java.util.Optional<java.lang.Enum.EnumDesc<E>> describeConstable();
 native java.lang.String toString();
 static native <T extends java.lang.Enum<T>> T valueOf(java.lang.Class<T> p0, java.lang.String p1);
 static class EnumDesc<E extends java.lang.Enum<E>>  extends java.lang.constant.DynamicConstantDesc<E> {
  native E resolveConstantDesc(java.lang.invoke.MethodHandles.Lookup p0);
  native java.lang.String toString();
  static native <E extends java.lang.Enum<E>> java.lang.Enum.EnumDesc<E> of(java.lang.constant.ClassDesc p0, java.lang.String p1);
 }
}
class EnumConstantNotPresentException extends java.lang.RuntimeException {
 EnumConstantNotPresentException(java.lang.Class<? extends java.lang.Enum> p0, java.lang.String p1) {}
 native java.lang.Class<? extends java.lang.Enum> enumType();
 native java.lang.String constantName();
}
class Error extends java.lang.Throwable {
 Error(java.lang.String p0, java.lang.Throwable p1, boolean p2, boolean p3) {}
 Error() {}
 Error(java.lang.String p0) {}
 Error(java.lang.String p0, java.lang.Throwable p1) {}
 Error(java.lang.Throwable p0) {}
}
class Exception extends java.lang.Throwable {
 Exception(java.lang.String p0, java.lang.Throwable p1, boolean p2, boolean p3) {}
 Exception() {}
 Exception(java.lang.String p0) {}
 Exception(java.lang.String p0, java.lang.Throwable p1) {}
 Exception(java.lang.Throwable p0) {}
}
class ExceptionInInitializerError extends java.lang.LinkageError {
 ExceptionInInitializerError() {}
 ExceptionInInitializerError(java.lang.String p0) {}
 ExceptionInInitializerError(java.lang.Throwable p0) {}
 native java.lang.Throwable getException();
}
class Float extends java.lang.Number implements java.lang.Comparable<java.lang.Float>, java.lang.constant.Constable, java.lang.constant.ConstantDesc {
 static float MAX_VALUE;
 static float MIN_NORMAL;
 static float MIN_VALUE;
 static float NEGATIVE_INFINITY;
 static float NaN;
 static float POSITIVE_INFINITY;
 static int BYTES;
 static int MAX_EXPONENT;
 static int MIN_EXPONENT;
 static int SIZE;
 static java.lang.Class<java.lang.Float> TYPE;
 Float(double p0) {}
 Float(float p0) {}
 Float(java.lang.String p0) {}
 native boolean equals(java.lang.Object p0);
 native boolean isInfinite();
 native boolean isNaN();
 native byte byteValue();
 native double doubleValue();
 native float floatValue();
 native int compareTo(java.lang.Float p0);
 native int hashCode();
 native int intValue();
 native java.lang.Float resolveConstantDesc(java.lang.invoke.MethodHandles.Lookup p0);
 native java.lang.String toString();
 native java.util.Optional<java.lang.Float> describeConstable();
 native long longValue();
 native short shortValue();
 static native boolean isFinite(float p0);
 static native boolean isInfinite(float p0);
 static native boolean isNaN(float p0);
 static native float max(float p0, float p1);
 static native float min(float p0, float p1);
 static native float parseFloat(java.lang.String p0);
 static native float sum(float p0, float p1);
 static native int compare(float p0, float p1);
 static native int floatToIntBits(float p0);
 static native int hashCode(float p0);
 static native java.lang.Float valueOf(float p0);
 static native java.lang.Float valueOf(java.lang.String p0);
 static native java.lang.String toHexString(float p0);
 static native java.lang.String toString(float p0);
 static native float intBitsToFloat(int p0);
 static native int floatToRawIntBits(float p0);
}
@interface FunctionalInterface {
}
class IllegalAccessError extends java.lang.IncompatibleClassChangeError {
 IllegalAccessError() {}
 IllegalAccessError(java.lang.String p0) {}
}
class IllegalAccessException extends java.lang.ReflectiveOperationException {
 IllegalAccessException() {}
 IllegalAccessException(java.lang.String p0) {}
}
class IllegalArgumentException extends java.lang.RuntimeException {
 IllegalArgumentException() {}
 IllegalArgumentException(java.lang.String p0) {}
 IllegalArgumentException(java.lang.String p0, java.lang.Throwable p1) {}
 IllegalArgumentException(java.lang.Throwable p0) {}
}
class IllegalCallerException extends java.lang.RuntimeException {
 IllegalCallerException() {}
 IllegalCallerException(java.lang.String p0) {}
 IllegalCallerException(java.lang.String p0, java.lang.Throwable p1) {}
 IllegalCallerException(java.lang.Throwable p0) {}
}
class IllegalMonitorStateException extends java.lang.RuntimeException {
 IllegalMonitorStateException() {}
 IllegalMonitorStateException(java.lang.String p0) {}
}
class IllegalStateException extends java.lang.RuntimeException {
 IllegalStateException() {}
 IllegalStateException(java.lang.String p0) {}
 IllegalStateException(java.lang.String p0, java.lang.Throwable p1) {}
 IllegalStateException(java.lang.Throwable p0) {}
}
class IllegalThreadStateException extends java.lang.IllegalArgumentException {
 IllegalThreadStateException() {}
 IllegalThreadStateException(java.lang.String p0) {}
}
class IncompatibleClassChangeError extends java.lang.LinkageError {
 IncompatibleClassChangeError() {}
 IncompatibleClassChangeError(java.lang.String p0) {}
}
class IndexOutOfBoundsException extends java.lang.RuntimeException {
 IndexOutOfBoundsException() {}
 IndexOutOfBoundsException(int p0) {}
 IndexOutOfBoundsException(java.lang.String p0) {}
 IndexOutOfBoundsException(long p0) {}
}
class InheritableThreadLocal<T>  extends java.lang.ThreadLocal<T> {
 InheritableThreadLocal() {}
 native T childValue(T p0);
}
class InstantiationError extends java.lang.IncompatibleClassChangeError {
 InstantiationError() {}
 InstantiationError(java.lang.String p0) {}
}
class InstantiationException extends java.lang.ReflectiveOperationException {
 InstantiationException() {}
 InstantiationException(java.lang.String p0) {}
}
class Integer extends java.lang.Number implements java.lang.Comparable<java.lang.Integer>, java.lang.constant.Constable, java.lang.constant.ConstantDesc {
 static int BYTES;
 static int MAX_VALUE;
 static int MIN_VALUE;
 static int SIZE;
 static java.lang.Class<java.lang.Integer> TYPE;
 Integer(int p0) {}
 Integer(java.lang.String p0) {}
 native boolean equals(java.lang.Object p0);
 native byte byteValue();
 native double doubleValue();
 native float floatValue();
 native int compareTo(java.lang.Integer p0);
 native int hashCode();
 native int intValue();
 native java.lang.Integer resolveConstantDesc(java.lang.invoke.MethodHandles.Lookup p0);
 native java.lang.String toString();
 native java.util.Optional<java.lang.Integer> describeConstable();
 native long longValue();
 native short shortValue();
 static native int bitCount(int p0);
 static native int compare(int p0, int p1);
 static native int compareUnsigned(int p0, int p1);
 static native int divideUnsigned(int p0, int p1);
 static native int hashCode(int p0);
 static native int highestOneBit(int p0);
 static native int lowestOneBit(int p0);
 static native int max(int p0, int p1);
 static native int min(int p0, int p1);
 static native int numberOfLeadingZeros(int p0);
 static native int numberOfTrailingZeros(int p0);
 static native int parseInt(java.lang.CharSequence p0, int p1, int p2, int p3);
 static native int parseInt(java.lang.String p0);
 static native int parseInt(java.lang.String p0, int p1);
 static native int parseUnsignedInt(java.lang.CharSequence p0, int p1, int p2, int p3);
 static native int parseUnsignedInt(java.lang.String p0);
 static native int parseUnsignedInt(java.lang.String p0, int p1);
 static native int remainderUnsigned(int p0, int p1);
 static native int reverse(int p0);
 static native int reverseBytes(int p0);
 static native int rotateLeft(int p0, int p1);
 static native int rotateRight(int p0, int p1);
 static native int signum(int p0);
 static native int sum(int p0, int p1);
 static native java.lang.Integer decode(java.lang.String p0);
 static native java.lang.Integer getInteger(java.lang.String p0);
 static native java.lang.Integer getInteger(java.lang.String p0, int p1);
 static native java.lang.Integer getInteger(java.lang.String p0, java.lang.Integer p1);
 static native java.lang.Integer valueOf(int p0);
 static native java.lang.Integer valueOf(java.lang.String p0);
 static native java.lang.Integer valueOf(java.lang.String p0, int p1);
 static native java.lang.String toBinaryString(int p0);
 static native java.lang.String toHexString(int p0);
 static native java.lang.String toOctalString(int p0);
 static native java.lang.String toString(int p0);
 static native java.lang.String toString(int p0, int p1);
 static native java.lang.String toUnsignedString(int p0);
 static native java.lang.String toUnsignedString(int p0, int p1);
 static native long toUnsignedLong(int p0);
}
class InternalError extends java.lang.VirtualMachineError {
 InternalError() {}
 InternalError(java.lang.String p0) {}
 InternalError(java.lang.String p0, java.lang.Throwable p1) {}
 InternalError(java.lang.Throwable p0) {}
}
class InterruptedException extends java.lang.Exception {
 InterruptedException() {}
 InterruptedException(java.lang.String p0) {}
}
interface Iterable<T>  {
 java.util.Iterator<T> iterator();
 default java.util.Spliterator<T> spliterator() {}
 default void forEach(java.util.function.Consumer<? super T> p0) {}
}
class LayerInstantiationException extends java.lang.RuntimeException {
 LayerInstantiationException() {}
 LayerInstantiationException(java.lang.String p0) {}
 LayerInstantiationException(java.lang.String p0, java.lang.Throwable p1) {}
 LayerInstantiationException(java.lang.Throwable p0) {}
}
class LinkageError extends java.lang.Error {
 LinkageError() {}
 LinkageError(java.lang.String p0) {}
 LinkageError(java.lang.String p0, java.lang.Throwable p1) {}
}
class Long extends java.lang.Number implements java.lang.Comparable<java.lang.Long>, java.lang.constant.Constable, java.lang.constant.ConstantDesc {
 static int BYTES;
 static int SIZE;
 static java.lang.Class<java.lang.Long> TYPE;
 static long MAX_VALUE;
 static long MIN_VALUE;
 Long(java.lang.String p0) {}
 Long(long p0) {}
 native boolean equals(java.lang.Object p0);
 native byte byteValue();
 native double doubleValue();
 native float floatValue();
 native int compareTo(java.lang.Long p0);
 native int hashCode();
 native int intValue();
 native java.lang.Long resolveConstantDesc(java.lang.invoke.MethodHandles.Lookup p0);
 native java.lang.String toString();
 native java.util.Optional<java.lang.Long> describeConstable();
 native long longValue();
 native short shortValue();
 static native int bitCount(long p0);
 static native int compare(long p0, long p1);
 static native int compareUnsigned(long p0, long p1);
 static native int hashCode(long p0);
 static native int numberOfLeadingZeros(long p0);
 static native int numberOfTrailingZeros(long p0);
 static native int signum(long p0);
 static native java.lang.Long decode(java.lang.String p0);
 static native java.lang.Long getLong(java.lang.String p0);
 static native java.lang.Long getLong(java.lang.String p0, java.lang.Long p1);
 static native java.lang.Long getLong(java.lang.String p0, long p1);
 static native java.lang.Long valueOf(java.lang.String p0);
 static native java.lang.Long valueOf(java.lang.String p0, int p1);
 static native java.lang.Long valueOf(long p0);
 static native java.lang.String toBinaryString(long p0);
 static native java.lang.String toHexString(long p0);
 static native java.lang.String toOctalString(long p0);
 static native java.lang.String toString(long p0);
 static native java.lang.String toString(long p0, int p1);
 static native java.lang.String toUnsignedString(long p0);
 static native java.lang.String toUnsignedString(long p0, int p1);
 static native long divideUnsigned(long p0, long p1);
 static native long highestOneBit(long p0);
 static native long lowestOneBit(long p0);
 static native long max(long p0, long p1);
 static native long min(long p0, long p1);
 static native long parseLong(java.lang.CharSequence p0, int p1, int p2, int p3);
 static native long parseLong(java.lang.String p0);
 static native long parseLong(java.lang.String p0, int p1);
 static native long parseUnsignedLong(java.lang.CharSequence p0, int p1, int p2, int p3);
 static native long parseUnsignedLong(java.lang.String p0);
 static native long parseUnsignedLong(java.lang.String p0, int p1);
 static native long remainderUnsigned(long p0, long p1);
 static native long reverse(long p0);
 static native long reverseBytes(long p0);
 static native long rotateLeft(long p0, int p1);
 static native long rotateRight(long p0, int p1);
 static native long sum(long p0, long p1);
}
class Math {
 static double E;
 static double PI;
 static native double IEEEremainder(double p0, double p1);
 static native double abs(double p0);
 static native double acos(double p0);
 static native double asin(double p0);
 static native double atan(double p0);
 static native double atan2(double p0, double p1);
 static native double cbrt(double p0);
 static native double ceil(double p0);
 static native double copySign(double p0, double p1);
 static native double cos(double p0);
 static native double cosh(double p0);
 static native double exp(double p0);
 static native double expm1(double p0);
 static native double floor(double p0);
 static native double fma(double p0, double p1, double p2);
 static native double hypot(double p0, double p1);
 static native double log(double p0);
 static native double log10(double p0);
 static native double log1p(double p0);
 static native double max(double p0, double p1);
 static native double min(double p0, double p1);
 static native double nextAfter(double p0, double p1);
 static native double nextDown(double p0);
 static native double nextUp(double p0);
 static native double pow(double p0, double p1);
 static native double random();
 static native double rint(double p0);
 static native double scalb(double p0, int p1);
 static native double signum(double p0);
 static native double sin(double p0);
 static native double sinh(double p0);
 static native double sqrt(double p0);
 static native double tan(double p0);
 static native double tanh(double p0);
 static native double toDegrees(double p0);
 static native double toRadians(double p0);
 static native double ulp(double p0);
 static native float abs(float p0);
 static native float copySign(float p0, float p1);
 static native float fma(float p0, float p1, float p2);
 static native float max(float p0, float p1);
 static native float min(float p0, float p1);
 static native float nextAfter(float p0, double p1);
 static native float nextDown(float p0);
 static native float nextUp(float p0);
 static native float scalb(float p0, int p1);
 static native float signum(float p0);
 static native float ulp(float p0);
 static native int abs(int p0);
 static native int absExact(int p0);
 static native int addExact(int p0, int p1);
 static native int decrementExact(int p0);
 static native int floorDiv(int p0, int p1);
 static native int floorMod(int p0, int p1);
 static native int floorMod(long p0, int p1);
 static native int getExponent(double p0);
 static native int getExponent(float p0);
 static native int incrementExact(int p0);
 static native int max(int p0, int p1);
 static native int min(int p0, int p1);
 static native int multiplyExact(int p0, int p1);
 static native int negateExact(int p0);
 static native int round(float p0);
 static native int subtractExact(int p0, int p1);
 static native int toIntExact(long p0);
 static native long abs(long p0);
 static native long absExact(long p0);
 static native long addExact(long p0, long p1);
 static native long decrementExact(long p0);
 static native long floorDiv(long p0, int p1);
 static native long floorDiv(long p0, long p1);
 static native long floorMod(long p0, long p1);
 static native long incrementExact(long p0);
 static native long max(long p0, long p1);
 static native long min(long p0, long p1);
 static native long multiplyExact(long p0, int p1);
 static native long multiplyExact(long p0, long p1);
 static native long multiplyFull(int p0, int p1);
 static native long multiplyHigh(long p0, long p1);
 static native long negateExact(long p0);
 static native long round(double p0);
 static native long subtractExact(long p0, long p1);
}
class Module implements java.lang.reflect.AnnotatedElement {
 native boolean canRead(java.lang.Module p0);
 native boolean canUse(java.lang.Class<?> p0);
 native boolean isExported(java.lang.String p0);
 native boolean isExported(java.lang.String p0, java.lang.Module p1);
 native boolean isNamed();
 native boolean isOpen(java.lang.String p0);
 native boolean isOpen(java.lang.String p0, java.lang.Module p1);
 native java.io.InputStream getResourceAsStream(java.lang.String p0);
 native java.lang.ClassLoader getClassLoader();
 native java.lang.Module addExports(java.lang.String p0, java.lang.Module p1);
 native java.lang.Module addOpens(java.lang.String p0, java.lang.Module p1);
 native java.lang.Module addReads(java.lang.Module p0);
 native java.lang.Module addUses(java.lang.Class<?> p0);
 native java.lang.ModuleLayer getLayer();
 native java.lang.String getName();
 native java.lang.String toString();
 native <T extends java.lang.annotation.Annotation> T getAnnotation(java.lang.Class<T> p0);
 native java.lang.annotation.Annotation[] getAnnotations();
 native java.lang.annotation.Annotation[] getDeclaredAnnotations();
 native java.lang.module.ModuleDescriptor getDescriptor();
 native java.util.Set<java.lang.String> getPackages();
}
class ModuleLayer {
 native java.lang.ClassLoader findLoader(java.lang.String p0);
 native java.lang.ModuleLayer defineModules(java.lang.module.Configuration p0, java.util.function.Function<java.lang.String, java.lang.ClassLoader> p1);
 native java.lang.ModuleLayer defineModulesWithManyLoaders(java.lang.module.Configuration p0, java.lang.ClassLoader p1);
 native java.lang.ModuleLayer defineModulesWithOneLoader(java.lang.module.Configuration p0, java.lang.ClassLoader p1);
 native java.lang.String toString();
 native java.lang.module.Configuration configuration();
 native java.util.List<java.lang.ModuleLayer> parents();
 native java.util.Optional<java.lang.Module> findModule(java.lang.String p0);
 native java.util.Set<java.lang.Module> modules();
 static native java.lang.ModuleLayer boot();
 static native java.lang.ModuleLayer empty();
 static native java.lang.ModuleLayer.Controller defineModules(java.lang.module.Configuration p0, java.util.List<java.lang.ModuleLayer> p1, java.util.function.Function<java.lang.String, java.lang.ClassLoader> p2);
 static native java.lang.ModuleLayer.Controller defineModulesWithManyLoaders(java.lang.module.Configuration p0, java.util.List<java.lang.ModuleLayer> p1, java.lang.ClassLoader p2);
 static native java.lang.ModuleLayer.Controller defineModulesWithOneLoader(java.lang.module.Configuration p0, java.util.List<java.lang.ModuleLayer> p1, java.lang.ClassLoader p2);
 static class Controller {
  native java.lang.ModuleLayer layer();
  native java.lang.ModuleLayer.Controller addExports(java.lang.Module p0, java.lang.String p1, java.lang.Module p2);
  native java.lang.ModuleLayer.Controller addOpens(java.lang.Module p0, java.lang.String p1, java.lang.Module p2);
  native java.lang.ModuleLayer.Controller addReads(java.lang.Module p0, java.lang.Module p1);
 }
}
class NegativeArraySizeException extends java.lang.RuntimeException {
 NegativeArraySizeException() {}
 NegativeArraySizeException(java.lang.String p0) {}
}
class NoClassDefFoundError extends java.lang.LinkageError {
 NoClassDefFoundError() {}
 NoClassDefFoundError(java.lang.String p0) {}
}
class NoSuchFieldError extends java.lang.IncompatibleClassChangeError {
 NoSuchFieldError() {}
 NoSuchFieldError(java.lang.String p0) {}
}
class NoSuchFieldException extends java.lang.ReflectiveOperationException {
 NoSuchFieldException() {}
 NoSuchFieldException(java.lang.String p0) {}
}
class NoSuchMethodError extends java.lang.IncompatibleClassChangeError {
 NoSuchMethodError() {}
 NoSuchMethodError(java.lang.String p0) {}
}
class NoSuchMethodException extends java.lang.ReflectiveOperationException {
 NoSuchMethodException() {}
 NoSuchMethodException(java.lang.String p0) {}
}
class NullPointerException extends java.lang.RuntimeException {
 NullPointerException() {}
 NullPointerException(java.lang.String p0) {}
 native java.lang.String getMessage();
 native java.lang.Throwable fillInStackTrace();
}
abstract class Number implements java.io.Serializable {
 Number() {}
 abstract double doubleValue();
 abstract float floatValue();
 abstract int intValue();
 abstract long longValue();
 native byte byteValue();
 native short shortValue();
}
class NumberFormatException extends java.lang.IllegalArgumentException {
 NumberFormatException() {}
 NumberFormatException(java.lang.String p0) {}
}
class Object {
 Object() {}
 native java.lang.Object clone();
 native void finalize();
 native boolean equals(java.lang.Object p0);
 native final java.lang.Class<?> getClass();
 native final void notify();
 native final void notifyAll();
 native final void wait(long p0);
 native final void wait();
 native final void wait(long p0, int p1);
 native java.lang.String toString();
 native int hashCode();
}
class OutOfMemoryError extends java.lang.VirtualMachineError {
 OutOfMemoryError() {}
 OutOfMemoryError(java.lang.String p0) {}
}
@interface Override {
}
class Package extends java.lang.NamedPackage implements java.lang.reflect.AnnotatedElement {
 native boolean isAnnotationPresent(java.lang.Class<? extends java.lang.annotation.Annotation> p0);
 native boolean isCompatibleWith(java.lang.String p0);
 native boolean isSealed();
 native boolean isSealed(java.net.URL p0);
 native int hashCode();
 native java.lang.String getImplementationTitle();
 native java.lang.String getImplementationVendor();
 native java.lang.String getImplementationVersion();
 native java.lang.String getName();
 native java.lang.String getSpecificationTitle();
 native java.lang.String getSpecificationVendor();
 native java.lang.String getSpecificationVersion();
 native java.lang.String toString();
 native <A extends java.lang.annotation.Annotation> A getAnnotation(java.lang.Class<A> p0);
 native <A extends java.lang.annotation.Annotation> A getDeclaredAnnotation(java.lang.Class<A> p0);
 native java.lang.annotation.Annotation[] getAnnotations();
 native <A extends java.lang.annotation.Annotation> A[] getAnnotationsByType(java.lang.Class<A> p0);
 native java.lang.annotation.Annotation[] getDeclaredAnnotations();
 native <A extends java.lang.annotation.Annotation> A[] getDeclaredAnnotationsByType(java.lang.Class<A> p0);
 static native java.lang.Package getPackage(java.lang.String p0);
 static native java.lang.Package[] getPackages();
}
abstract class Process {
 Process() {}
 abstract int exitValue();
 abstract int waitFor();
 abstract java.io.InputStream getErrorStream();
 abstract java.io.InputStream getInputStream();
 abstract java.io.OutputStream getOutputStream();
 abstract void destroy();
 native boolean isAlive();
 native boolean supportsNormalTermination();
 native boolean waitFor(long p0, java.util.concurrent.TimeUnit p1);
 native final java.io.BufferedReader errorReader();
 native final java.io.BufferedReader errorReader(java.nio.charset.Charset p0);
 native final java.io.BufferedReader inputReader();
 native final java.io.BufferedReader inputReader(java.nio.charset.Charset p0);
 native final java.io.BufferedWriter outputWriter();
 native final java.io.BufferedWriter outputWriter(java.nio.charset.Charset p0);
 native java.lang.Process destroyForcibly();
 native java.lang.ProcessHandle toHandle();
 native java.lang.ProcessHandle.Info info();
 native java.util.concurrent.CompletableFuture<java.lang.Process> onExit();
 native java.util.stream.Stream<java.lang.ProcessHandle> children();
 native java.util.stream.Stream<java.lang.ProcessHandle> descendants();
 native long pid();
}
class ProcessBuilder {
 ProcessBuilder(java.lang.String... p0) {}
 ProcessBuilder(java.util.List<java.lang.String> p0) {}
 native boolean redirectErrorStream();
 native java.io.File directory();
 native java.lang.Process start();
 native java.lang.ProcessBuilder command(java.lang.String... p0);
 native java.lang.ProcessBuilder command(java.util.List<java.lang.String> p0);
 native java.lang.ProcessBuilder directory(java.io.File p0);
 native java.lang.ProcessBuilder inheritIO();
 native java.lang.ProcessBuilder redirectError(java.io.File p0);
 native java.lang.ProcessBuilder redirectError(java.lang.ProcessBuilder.Redirect p0);
 native java.lang.ProcessBuilder redirectErrorStream(boolean p0);
 native java.lang.ProcessBuilder redirectInput(java.io.File p0);
 native java.lang.ProcessBuilder redirectInput(java.lang.ProcessBuilder.Redirect p0);
 native java.lang.ProcessBuilder redirectOutput(java.io.File p0);
 native java.lang.ProcessBuilder redirectOutput(java.lang.ProcessBuilder.Redirect p0);
 native java.lang.ProcessBuilder.Redirect redirectError();
 native java.lang.ProcessBuilder.Redirect redirectInput();
 native java.lang.ProcessBuilder.Redirect redirectOutput();
 native java.util.List<java.lang.String> command();
 native java.util.Map<java.lang.String, java.lang.String> environment();
 static native java.util.List<java.lang.Process> startPipeline(java.util.List<java.lang.ProcessBuilder> p0);
 abstract static class Redirect {
  static java.lang.ProcessBuilder.Redirect DISCARD;
  static java.lang.ProcessBuilder.Redirect INHERIT;
  static java.lang.ProcessBuilder.Redirect PIPE;
  abstract java.lang.ProcessBuilder.Redirect.Type type();
  native boolean equals(java.lang.Object p0);
  native int hashCode();
  native java.io.File file();
  static native java.lang.ProcessBuilder.Redirect appendTo(java.io.File p0);
  static native java.lang.ProcessBuilder.Redirect from(java.io.File p0);
  static native java.lang.ProcessBuilder.Redirect to(java.io.File p0);
  static enum Type {
   PIPE, INHERIT, READ, WRITE, APPEND;
  }
 }
}
interface ProcessHandle extends java.lang.Comparable<java.lang.ProcessHandle> {
 boolean destroy();
 boolean destroyForcibly();
 boolean equals(java.lang.Object p0);
 boolean isAlive();
 boolean supportsNormalTermination();
 int compareTo(java.lang.ProcessHandle p0);
 int hashCode();
 java.lang.ProcessHandle.Info info();
 java.util.Optional<java.lang.ProcessHandle> parent();
 java.util.concurrent.CompletableFuture<java.lang.ProcessHandle> onExit();
 java.util.stream.Stream<java.lang.ProcessHandle> children();
 java.util.stream.Stream<java.lang.ProcessHandle> descendants();
 long pid();
 static java.lang.ProcessHandle current() {}
 static java.util.Optional<java.lang.ProcessHandle> of(long p0) {}
 static java.util.stream.Stream<java.lang.ProcessHandle> allProcesses() {}
 static interface Info {
  java.util.Optional<java.lang.String[]> arguments();
  java.util.Optional<java.lang.String> command();
  java.util.Optional<java.lang.String> commandLine();
  java.util.Optional<java.time.Instant> startInstant();
  java.util.Optional<java.time.Duration> totalCpuDuration();
  java.util.Optional<java.lang.String> user();
 }
}
interface Readable {
 int read(java.nio.CharBuffer p0);
}
abstract class Record {
 Record() {}
 abstract boolean equals(java.lang.Object p0);
 abstract int hashCode();
 abstract java.lang.String toString();
}
class ReflectiveOperationException extends java.lang.Exception {
 ReflectiveOperationException() {}
 ReflectiveOperationException(java.lang.String p0) {}
 ReflectiveOperationException(java.lang.String p0, java.lang.Throwable p1) {}
 ReflectiveOperationException(java.lang.Throwable p0) {}
}
interface Runnable {
 void run();
}
class Runtime {
 native boolean removeShutdownHook(java.lang.Thread p0);
 native java.lang.Process exec(java.lang.String p0);
 native java.lang.Process exec(java.lang.String p0, java.lang.String[] p1);
 native java.lang.Process exec(java.lang.String p0, java.lang.String[] p1, java.io.File p2);
 native java.lang.Process exec(java.lang.String[] p0);
 native java.lang.Process exec(java.lang.String[] p0, java.lang.String[] p1);
 native java.lang.Process exec(java.lang.String[] p0, java.lang.String[] p1, java.io.File p2);
 native int availableProcessors();
 native long freeMemory();
 native long maxMemory();
 native long totalMemory();
 native void gc();
 static native java.lang.Runtime getRuntime();
 static native java.lang.Runtime.Version version();
 native void addShutdownHook(java.lang.Thread p0);
 native void exit(int p0);
 native void halt(int p0);
 native void load(java.lang.String p0);
 native void loadLibrary(java.lang.String p0);
 native void runFinalization();
 static class Version implements java.lang.Comparable<java.lang.Runtime.Version> {
  native boolean equals(java.lang.Object p0);
  native boolean equalsIgnoreOptional(java.lang.Object p0);
  native int compareTo(java.lang.Runtime.Version p0);
  native int compareToIgnoreOptional(java.lang.Runtime.Version p0);
  native int feature();
  native int hashCode();
  native int interim();
  native int major();
  native int minor();
  native int patch();
  native int security();
  native int update();
  native java.lang.String toString();
  native java.util.List<java.lang.Integer> version();
  native java.util.Optional<java.lang.Integer> build();
  native java.util.Optional<java.lang.String> optional();
  native java.util.Optional<java.lang.String> pre();
  static native java.lang.Runtime.Version parse(java.lang.String p0);
 }
}
class RuntimeException extends java.lang.Exception {
 RuntimeException(java.lang.String p0, java.lang.Throwable p1, boolean p2, boolean p3) {}
 RuntimeException() {}
 RuntimeException(java.lang.String p0) {}
 RuntimeException(java.lang.String p0, java.lang.Throwable p1) {}
 RuntimeException(java.lang.Throwable p0) {}
}
class RuntimePermission extends java.security.BasicPermission {
 RuntimePermission(java.lang.String p0) {}
 RuntimePermission(java.lang.String p0, java.lang.String p1) {}
}
@interface SafeVarargs {
}
class SecurityException extends java.lang.RuntimeException {
 SecurityException() {}
 SecurityException(java.lang.String p0) {}
 SecurityException(java.lang.String p0, java.lang.Throwable p1) {}
 SecurityException(java.lang.Throwable p0) {}
}
class SecurityManager {
 SecurityManager() {}
 native java.lang.Class<?>[] getClassContext();
 native java.lang.Object getSecurityContext();
 native java.lang.ThreadGroup getThreadGroup();
 native void checkAccept(java.lang.String p0, int p1);
 native void checkAccess(java.lang.Thread p0);
 native void checkAccess(java.lang.ThreadGroup p0);
 native void checkConnect(java.lang.String p0, int p1);
 native void checkConnect(java.lang.String p0, int p1, java.lang.Object p2);
 native void checkCreateClassLoader();
 native void checkDelete(java.lang.String p0);
 native void checkExec(java.lang.String p0);
 native void checkExit(int p0);
 native void checkLink(java.lang.String p0);
 native void checkListen(int p0);
 native void checkMulticast(java.net.InetAddress p0);
 native void checkMulticast(java.net.InetAddress p0, byte p1);
 native void checkPackageAccess(java.lang.String p0);
 native void checkPackageDefinition(java.lang.String p0);
 native void checkPermission(java.security.Permission p0);
 native void checkPermission(java.security.Permission p0, java.lang.Object p1);
 native void checkPrintJobAccess();
 native void checkPropertiesAccess();
 native void checkPropertyAccess(java.lang.String p0);
 native void checkRead(java.io.FileDescriptor p0);
 native void checkRead(java.lang.String p0);
 native void checkRead(java.lang.String p0, java.lang.Object p1);
 native void checkSecurityAccess(java.lang.String p0);
 native void checkSetFactory();
 native void checkWrite(java.io.FileDescriptor p0);
 native void checkWrite(java.lang.String p0);
}
class Short extends java.lang.Number implements java.lang.Comparable<java.lang.Short>, java.lang.constant.Constable {
 static int BYTES;
 static int SIZE;
 static java.lang.Class<java.lang.Short> TYPE;
 static short MAX_VALUE;
 static short MIN_VALUE;
 Short(java.lang.String p0) {}
 Short(short p0) {}
 native boolean equals(java.lang.Object p0);
 native byte byteValue();
 native double doubleValue();
 native float floatValue();
 native int compareTo(java.lang.Short p0);
 native int hashCode();
 native int intValue();
 native java.lang.String toString();
 native java.util.Optional<java.lang.constant.DynamicConstantDesc<java.lang.Short>> describeConstable();
 native long longValue();
 native short shortValue();
 static native int compare(short p0, short p1);
 static native int compareUnsigned(short p0, short p1);
 static native int hashCode(short p0);
 static native int toUnsignedInt(short p0);
 static native java.lang.Short decode(java.lang.String p0);
 static native java.lang.Short valueOf(java.lang.String p0);
 static native java.lang.Short valueOf(java.lang.String p0, int p1);
 static native java.lang.Short valueOf(short p0);
 static native java.lang.String toString(short p0);
 static native long toUnsignedLong(short p0);
 static native short parseShort(java.lang.String p0);
 static native short parseShort(java.lang.String p0, int p1);
 static native short reverseBytes(short p0);
}
class StackOverflowError extends java.lang.VirtualMachineError {
 StackOverflowError() {}
 StackOverflowError(java.lang.String p0) {}
}
class StackTraceElement implements java.io.Serializable {
 StackTraceElement(java.lang.String p0, java.lang.String p1, java.lang.String p2, int p3) {}
 StackTraceElement(java.lang.String p0, java.lang.String p1, java.lang.String p2, java.lang.String p3, java.lang.String p4, java.lang.String p5, int p6) {}
 native boolean equals(java.lang.Object p0);
 native boolean isNativeMethod();
 native int getLineNumber();
 native int hashCode();
 native java.lang.String getClassLoaderName();
 native java.lang.String getClassName();
 native java.lang.String getFileName();
 native java.lang.String getMethodName();
 native java.lang.String getModuleName();
 native java.lang.String getModuleVersion();
 native java.lang.String toString();
}
class StackWalker {
 native java.lang.Class<?> getCallerClass();
 native <T> T walk(java.util.function.Function<? super java.util.stream.Stream<java.lang.StackWalker.StackFrame>, ? extends T> p0);
 static native java.lang.StackWalker getInstance();
 static native java.lang.StackWalker getInstance(java.lang.StackWalker.Option p0);
 static native java.lang.StackWalker getInstance(java.util.Set<java.lang.StackWalker.Option> p0);
 static native java.lang.StackWalker getInstance(java.util.Set<java.lang.StackWalker.Option> p0, int p1);
 native void forEach(java.util.function.Consumer<? super java.lang.StackWalker.StackFrame> p0);
 static enum Option {
  RETAIN_CLASS_REFERENCE, SHOW_REFLECT_FRAMES, SHOW_HIDDEN_FRAMES;
 }
 static interface StackFrame {
  boolean isNativeMethod();
  int getByteCodeIndex();
  int getLineNumber();
  java.lang.Class<?> getDeclaringClass();
  java.lang.StackTraceElement toStackTraceElement();
  java.lang.String getClassName();
  java.lang.String getFileName();
  java.lang.String getMethodName();
  default java.lang.String getDescriptor() {}
  default java.lang.invoke.MethodType getMethodType() {}
 }
}
class StrictMath {
 static double E;
 static double PI;
 static native double abs(double p0);
 static native double cbrt(double p0);
 static native double ceil(double p0);
 static native double copySign(double p0, double p1);
 static native double exp(double p0);
 static native double floor(double p0);
 static native double fma(double p0, double p1, double p2);
 static native double hypot(double p0, double p1);
 static native double max(double p0, double p1);
 static native double min(double p0, double p1);
 static native double nextAfter(double p0, double p1);
 static native double nextDown(double p0);
 static native double nextUp(double p0);
 static native double pow(double p0, double p1);
 static native double random();
 static native double rint(double p0);
 static native double scalb(double p0, int p1);
 static native double signum(double p0);
 static native double toDegrees(double p0);
 static native double toRadians(double p0);
 static native double ulp(double p0);
 static native float abs(float p0);
 static native float copySign(float p0, float p1);
 static native float fma(float p0, float p1, float p2);
 static native float max(float p0, float p1);
 static native float min(float p0, float p1);
 static native float nextAfter(float p0, double p1);
 static native float nextDown(float p0);
 static native float nextUp(float p0);
 static native float scalb(float p0, int p1);
 static native float signum(float p0);
 static native float ulp(float p0);
 static native int abs(int p0);
 static native int absExact(int p0);
 static native int addExact(int p0, int p1);
 static native int decrementExact(int p0);
 static native int floorDiv(int p0, int p1);
 static native int floorMod(int p0, int p1);
 static native int floorMod(long p0, int p1);
 static native int getExponent(double p0);
 static native int getExponent(float p0);
 static native int incrementExact(int p0);
 static native int max(int p0, int p1);
 static native int min(int p0, int p1);
 static native int multiplyExact(int p0, int p1);
 static native int negateExact(int p0);
 static native int round(float p0);
 static native int subtractExact(int p0, int p1);
 static native int toIntExact(long p0);
 static native long abs(long p0);
 static native long absExact(long p0);
 static native long addExact(long p0, long p1);
 static native long decrementExact(long p0);
 static native long floorDiv(long p0, int p1);
 static native long floorDiv(long p0, long p1);
 static native long floorMod(long p0, long p1);
 static native long incrementExact(long p0);
 static native long max(long p0, long p1);
 static native long min(long p0, long p1);
 static native long multiplyExact(long p0, int p1);
 static native long multiplyExact(long p0, long p1);
 static native long multiplyFull(int p0, int p1);
 static native long multiplyHigh(long p0, long p1);
 static native long negateExact(long p0);
 static native long round(double p0);
 static native long subtractExact(long p0, long p1);
 static native double IEEEremainder(double p0, double p1);
 static native double acos(double p0);
 static native double asin(double p0);
 static native double atan(double p0);
 static native double atan2(double p0, double p1);
 static native double cos(double p0);
 static native double cosh(double p0);
 static native double expm1(double p0);
 static native double log(double p0);
 static native double log10(double p0);
 static native double log1p(double p0);
 static native double sin(double p0);
 static native double sinh(double p0);
 static native double sqrt(double p0);
 static native double tan(double p0);
 static native double tanh(double p0);
}
class String implements java.io.Serializable, java.lang.Comparable<java.lang.String>, java.lang.CharSequence, java.lang.constant.Constable, java.lang.constant.ConstantDesc {
 static java.util.Comparator<java.lang.String> CASE_INSENSITIVE_ORDER;
 String() {}
 String(byte[] p0) {}
 String(byte[] p0, int p1) {}
 String(byte[] p0, int p1, int p2) {}
 String(byte[] p0, int p1, int p2, int p3) {}
 String(byte[] p0, int p1, int p2, java.lang.String p3) {}
 String(byte[] p0, int p1, int p2, java.nio.charset.Charset p3) {}
 String(byte[] p0, java.lang.String p1) {}
 String(byte[] p0, java.nio.charset.Charset p1) {}
 String(char[] p0) {}
 String(char[] p0, int p1, int p2) {}
 String(int[] p0, int p1, int p2) {}
 String(java.lang.String p0) {}
 String(java.lang.StringBuffer p0) {}
 String(java.lang.StringBuilder p0) {}
 native boolean contains(java.lang.CharSequence p0);
 native boolean contentEquals(java.lang.CharSequence p0);
 native boolean contentEquals(java.lang.StringBuffer p0);
 native boolean endsWith(java.lang.String p0);
 native boolean equals(java.lang.Object p0);
 native boolean equalsIgnoreCase(java.lang.String p0);
 native boolean isBlank();
 native boolean isEmpty();
 native boolean matches(java.lang.String p0);
 native boolean regionMatches(boolean p0, int p1, java.lang.String p2, int p3, int p4);
 native boolean regionMatches(int p0, java.lang.String p1, int p2, int p3);
 native boolean startsWith(java.lang.String p0);
 native boolean startsWith(java.lang.String p0, int p1);
 native byte[] getBytes();
 native byte[] getBytes(java.lang.String p0);
 native byte[] getBytes(java.nio.charset.Charset p0);
 native char charAt(int p0);
 native char[] toCharArray();
 native int codePointAt(int p0);
 native int codePointBefore(int p0);
 native int codePointCount(int p0, int p1);
 native int compareTo(java.lang.String p0);
 native int compareToIgnoreCase(java.lang.String p0);
 native int hashCode();
 native int indexOf(int p0);
 native int indexOf(int p0, int p1);
 native int indexOf(java.lang.String p0);
 native int indexOf(java.lang.String p0, int p1);
 native int lastIndexOf(int p0);
 native int lastIndexOf(int p0, int p1);
 native int lastIndexOf(java.lang.String p0);
 native int lastIndexOf(java.lang.String p0, int p1);
 native int length();
 native int offsetByCodePoints(int p0, int p1);
 native java.lang.CharSequence subSequence(int p0, int p1);
 native <R> R transform(java.util.function.Function<? super java.lang.String, ? extends R> p0);
 native java.lang.String concat(java.lang.String p0);
 native java.lang.String formatted(java.lang.Object... p0);
 native java.lang.String indent(int p0);
 native java.lang.String repeat(int p0);
 native java.lang.String replace(char p0, char p1);
 native java.lang.String replace(java.lang.CharSequence p0, java.lang.CharSequence p1);
 native java.lang.String replaceAll(java.lang.String p0, java.lang.String p1);
 native java.lang.String replaceFirst(java.lang.String p0, java.lang.String p1);
 native java.lang.String resolveConstantDesc(java.lang.invoke.MethodHandles.Lookup p0);
 native java.lang.String strip();
 native java.lang.String stripIndent();
 native java.lang.String stripLeading();
 native java.lang.String stripTrailing();
 native java.lang.String substring(int p0);
 native java.lang.String substring(int p0, int p1);
 native java.lang.String toLowerCase();
 native java.lang.String toLowerCase(java.util.Locale p0);
 native java.lang.String toString();
 native java.lang.String toUpperCase();
 native java.lang.String toUpperCase(java.util.Locale p0);
 native java.lang.String translateEscapes();
 native java.lang.String trim();
 native java.lang.String[] split(java.lang.String p0);
 native java.lang.String[] split(java.lang.String p0, int p1);
 native java.util.Optional<java.lang.String> describeConstable();
 native java.util.stream.IntStream chars();
 native java.util.stream.IntStream codePoints();
 native java.util.stream.Stream<java.lang.String> lines();
 native java.lang.String intern();
 static native java.lang.String copyValueOf(char[] p0);
 static native java.lang.String copyValueOf(char[] p0, int p1, int p2);
 static native java.lang.String format(java.lang.String p0, java.lang.Object... p1);
 static native java.lang.String format(java.util.Locale p0, java.lang.String p1, java.lang.Object... p2);
 static native java.lang.String join(java.lang.CharSequence p0, java.lang.CharSequence... p1);
 static native java.lang.String join(java.lang.CharSequence p0, java.lang.Iterable<? extends java.lang.CharSequence> p1);
 static native java.lang.String valueOf(boolean p0);
 static native java.lang.String valueOf(char p0);
 static native java.lang.String valueOf(char[] p0);
 static native java.lang.String valueOf(char[] p0, int p1, int p2);
 static native java.lang.String valueOf(double p0);
 static native java.lang.String valueOf(float p0);
 static native java.lang.String valueOf(int p0);
 static native java.lang.String valueOf(java.lang.Object p0);
 static native java.lang.String valueOf(long p0);
 native void getBytes(int p0, int p1, byte[] p2, int p3);
 native void getChars(int p0, int p1, char[] p2, int p3);
}
class StringBuffer extends java.lang.AbstractStringBuilder implements java.io.Serializable, java.lang.Comparable<java.lang.StringBuffer>, java.lang.CharSequence {
 StringBuffer() {}
 StringBuffer(int p0) {}
 StringBuffer(java.lang.CharSequence p0) {}
 StringBuffer(java.lang.String p0) {}
 native int indexOf(java.lang.String p0);
 native int lastIndexOf(java.lang.String p0);
 native java.lang.StringBuffer insert(int p0, boolean p1);
 native java.lang.StringBuffer insert(int p0, double p1);
 native java.lang.StringBuffer insert(int p0, float p1);
 native java.lang.StringBuffer insert(int p0, int p1);
 native java.lang.StringBuffer insert(int p0, java.lang.CharSequence p1);
 native java.lang.StringBuffer insert(int p0, long p1);
 native char charAt(int p0);
 native int capacity();
 native int codePointAt(int p0);
 native int codePointBefore(int p0);
 native int codePointCount(int p0, int p1);
 native int compareTo(java.lang.StringBuffer p0);
 native int indexOf(java.lang.String p0, int p1);
 native int lastIndexOf(java.lang.String p0, int p1);
 native int length();
 native int offsetByCodePoints(int p0, int p1);
 native java.lang.CharSequence subSequence(int p0, int p1);
 native java.lang.String substring(int p0);
 native java.lang.String substring(int p0, int p1);
 native java.lang.String toString();
 native java.lang.StringBuffer append(boolean p0);
 native java.lang.StringBuffer append(char p0);
 native java.lang.StringBuffer append(char[] p0);
 native java.lang.StringBuffer append(char[] p0, int p1, int p2);
 native java.lang.StringBuffer append(double p0);
 native java.lang.StringBuffer append(float p0);
 native java.lang.StringBuffer append(int p0);
 native java.lang.StringBuffer append(java.lang.CharSequence p0);
 native java.lang.StringBuffer append(java.lang.CharSequence p0, int p1, int p2);
 native java.lang.StringBuffer append(java.lang.Object p0);
 native java.lang.StringBuffer append(java.lang.String p0);
 native java.lang.StringBuffer append(java.lang.StringBuffer p0);
 native java.lang.StringBuffer append(long p0);
 native java.lang.StringBuffer appendCodePoint(int p0);
 native java.lang.StringBuffer delete(int p0, int p1);
 native java.lang.StringBuffer deleteCharAt(int p0);
 native java.lang.StringBuffer insert(int p0, char p1);
 native java.lang.StringBuffer insert(int p0, char[] p1);
 native java.lang.StringBuffer insert(int p0, char[] p1, int p2, int p3);
 native java.lang.StringBuffer insert(int p0, java.lang.CharSequence p1, int p2, int p3);
 native java.lang.StringBuffer insert(int p0, java.lang.Object p1);
 native java.lang.StringBuffer insert(int p0, java.lang.String p1);
 native java.lang.StringBuffer replace(int p0, int p1, java.lang.String p2);
 native java.lang.StringBuffer reverse();
 native void ensureCapacity(int p0);
 native void getChars(int p0, int p1, char[] p2, int p3);
 native void setCharAt(int p0, char p1);
 native void setLength(int p0);
 native void trimToSize();
}
class StringBuilder extends java.lang.AbstractStringBuilder implements java.io.Serializable, java.lang.Comparable<java.lang.StringBuilder>, java.lang.CharSequence {
 StringBuilder() {}
 StringBuilder(int p0) {}
 StringBuilder(java.lang.CharSequence p0) {}
 StringBuilder(java.lang.String p0) {}
 native int compareTo(java.lang.StringBuilder p0);
 native int indexOf(java.lang.String p0);
 native int indexOf(java.lang.String p0, int p1);
 native int lastIndexOf(java.lang.String p0);
 native int lastIndexOf(java.lang.String p0, int p1);
 native java.lang.String toString();
 native java.lang.StringBuilder append(boolean p0);
 native java.lang.StringBuilder append(char p0);
 native java.lang.StringBuilder append(char[] p0);
 native java.lang.StringBuilder append(char[] p0, int p1, int p2);
 native java.lang.StringBuilder append(double p0);
 native java.lang.StringBuilder append(float p0);
 native java.lang.StringBuilder append(int p0);
 native java.lang.StringBuilder append(java.lang.CharSequence p0);
 native java.lang.StringBuilder append(java.lang.CharSequence p0, int p1, int p2);
 native java.lang.StringBuilder append(java.lang.Object p0);
 native java.lang.StringBuilder append(java.lang.String p0);
 native java.lang.StringBuilder append(java.lang.StringBuffer p0);
 native java.lang.StringBuilder append(long p0);
 native java.lang.StringBuilder appendCodePoint(int p0);
 native java.lang.StringBuilder delete(int p0, int p1);
 native java.lang.StringBuilder deleteCharAt(int p0);
 native java.lang.StringBuilder insert(int p0, boolean p1);
 native java.lang.StringBuilder insert(int p0, char p1);
 native java.lang.StringBuilder insert(int p0, char[] p1);
 native java.lang.StringBuilder insert(int p0, char[] p1, int p2, int p3);
 native java.lang.StringBuilder insert(int p0, double p1);
 native java.lang.StringBuilder insert(int p0, float p1);
 native java.lang.StringBuilder insert(int p0, int p1);
 native java.lang.StringBuilder insert(int p0, java.lang.CharSequence p1);
 native java.lang.StringBuilder insert(int p0, java.lang.CharSequence p1, int p2, int p3);
 native java.lang.StringBuilder insert(int p0, java.lang.Object p1);
 native java.lang.StringBuilder insert(int p0, java.lang.String p1);
 native java.lang.StringBuilder insert(int p0, long p1);
 native java.lang.StringBuilder replace(int p0, int p1, java.lang.String p2);
 native java.lang.StringBuilder reverse();
}
class StringIndexOutOfBoundsException extends java.lang.IndexOutOfBoundsException {
 StringIndexOutOfBoundsException() {}
 StringIndexOutOfBoundsException(int p0) {}
 StringIndexOutOfBoundsException(java.lang.String p0) {}
}
@interface SuppressWarnings {
 java.lang.String[] value();
}
class System {
 static java.io.InputStream in;
 static java.io.PrintStream err;
 static java.io.PrintStream out;
 static native java.io.Console console();
 static native java.lang.SecurityManager getSecurityManager();
 static native java.lang.String clearProperty(java.lang.String p0);
 static native java.lang.String getProperty(java.lang.String p0);
 static native java.lang.String getProperty(java.lang.String p0, java.lang.String p1);
 static native java.lang.String getenv(java.lang.String p0);
 static native java.lang.String lineSeparator();
 static native java.lang.String setProperty(java.lang.String p0, java.lang.String p1);
 static native java.lang.System.Logger getLogger(java.lang.String p0);
 static native java.lang.System.Logger getLogger(java.lang.String p0, java.util.ResourceBundle p1);
 static native java.nio.channels.Channel inheritedChannel();
 static native java.util.Map<java.lang.String, java.lang.String> getenv();
 static native java.util.Properties getProperties();
 static native int identityHashCode(java.lang.Object p0);
 static native java.lang.String mapLibraryName(java.lang.String p0);
 static native long currentTimeMillis();
 static native long nanoTime();
 static native void arraycopy(java.lang.Object p0, int p1, java.lang.Object p2, int p3, int p4);
 static native void exit(int p0);
 static native void gc();
 static native void load(java.lang.String p0);
 static native void loadLibrary(java.lang.String p0);
 static native void runFinalization();
 static native void setErr(java.io.PrintStream p0);
 static native void setIn(java.io.InputStream p0);
 static native void setOut(java.io.PrintStream p0);
 static native void setProperties(java.util.Properties p0);
 static native void setSecurityManager(java.lang.SecurityManager p0);
 abstract static class LoggerFinder {
  LoggerFinder() {}
  abstract java.lang.System.Logger getLogger(java.lang.String p0, java.lang.Module p1);
  native java.lang.System.Logger getLocalizedLogger(java.lang.String p0, java.util.ResourceBundle p1, java.lang.Module p2);
  static native java.lang.System.LoggerFinder getLoggerFinder();
 }
 static interface Logger {
  boolean isLoggable(java.lang.System.Logger.Level p0);
  java.lang.String getName();
  void log(java.lang.System.Logger.Level p0, java.util.ResourceBundle p1, java.lang.String p2, java.lang.Object... p3);
  void log(java.lang.System.Logger.Level p0, java.util.ResourceBundle p1, java.lang.String p2, java.lang.Throwable p3);
  default void log(java.lang.System.Logger.Level p0, java.lang.Object p1) {}
  default void log(java.lang.System.Logger.Level p0, java.lang.String p1) {}
  default void log(java.lang.System.Logger.Level p0, java.lang.String p1, java.lang.Object... p2) {}
  default void log(java.lang.System.Logger.Level p0, java.lang.String p1, java.lang.Throwable p2) {}
  default void log(java.lang.System.Logger.Level p0, java.util.function.Supplier<java.lang.String> p1) {}
  default void log(java.lang.System.Logger.Level p0, java.util.function.Supplier<java.lang.String> p1, java.lang.Throwable p2) {}
  static enum Level {
   ALL, TRACE, DEBUG, INFO, WARNING, ERROR, OFF;
   native final int getSeverity();
   native final java.lang.String getName();
  }
 }
}
class Thread implements java.lang.Runnable {
 static int MAX_PRIORITY;
 static int MIN_PRIORITY;
 static int NORM_PRIORITY;
 Thread() {}
 Thread(java.lang.Runnable p0) {}
 Thread(java.lang.Runnable p0, java.lang.String p1) {}
 Thread(java.lang.String p0) {}
 Thread(java.lang.ThreadGroup p0, java.lang.Runnable p1) {}
 Thread(java.lang.ThreadGroup p0, java.lang.Runnable p1, java.lang.String p2) {}
 Thread(java.lang.ThreadGroup p0, java.lang.Runnable p1, java.lang.String p2, long p3) {}
 Thread(java.lang.ThreadGroup p0, java.lang.Runnable p1, java.lang.String p2, long p3, boolean p4) {}
 Thread(java.lang.ThreadGroup p0, java.lang.String p1) {}
 native java.lang.Object clone();
 native boolean isInterrupted();
 native final boolean isAlive();
 native final boolean isDaemon();
 native final int getPriority();
 native final java.lang.String getName();
 native final java.lang.ThreadGroup getThreadGroup();
 native final void join(long p0);
 native final void join(long p0, int p1);
 native final void setName(java.lang.String p0);
 native final void checkAccess();
 native final void join();
 native final void resume();
 native final void setDaemon(boolean p0);
 native final void setPriority(int p0);
 native final void stop();
 native final void suspend();
 native int countStackFrames();
 native java.lang.ClassLoader getContextClassLoader();
 native java.lang.StackTraceElement[] getStackTrace();
 native java.lang.String toString();
 native java.lang.Thread.State getState();
 native java.lang.Thread.UncaughtExceptionHandler getUncaughtExceptionHandler();
 native long getId();
 static native boolean interrupted();
 static native int activeCount();
 static native int enumerate(java.lang.Thread[] p0);
 static native java.lang.Thread.UncaughtExceptionHandler getDefaultUncaughtExceptionHandler();
 static native java.util.Map<java.lang.Thread, java.lang.StackTraceElement[]> getAllStackTraces();
 static native boolean holdsLock(java.lang.Object p0);
 static native java.lang.Thread currentThread();
 static native void sleep(long p0);
 static native void yield();
 static native void dumpStack();
 static native void onSpinWait();
 static native void setDefaultUncaughtExceptionHandler(java.lang.Thread.UncaughtExceptionHandler p0);
 static native void sleep(long p0, int p1);
 native void start();
 native void interrupt();
 native void run();
 native void setContextClassLoader(java.lang.ClassLoader p0);
 native void setUncaughtExceptionHandler(java.lang.Thread.UncaughtExceptionHandler p0);
 static enum State {
  NEW, RUNNABLE, BLOCKED, WAITING, TIMED_WAITING, TERMINATED;
 }
 static interface UncaughtExceptionHandler {
  void uncaughtException(java.lang.Thread p0, java.lang.Throwable p1);
 }
}
class ThreadDeath extends java.lang.Error {
 ThreadDeath() {}
}
class ThreadGroup implements java.lang.Thread.UncaughtExceptionHandler {
 ThreadGroup(java.lang.String p0) {}
 ThreadGroup(java.lang.ThreadGroup p0, java.lang.String p1) {}
 native boolean allowThreadSuspension(boolean p0);
 native final boolean isDaemon();
 native final boolean parentOf(java.lang.ThreadGroup p0);
 native final int getMaxPriority();
 native final java.lang.String getName();
 native final java.lang.ThreadGroup getParent();
 native final void checkAccess();
 native final void destroy();
 native final void interrupt();
 native final void resume();
 native final void setDaemon(boolean p0);
 native final void setMaxPriority(int p0);
 native final void stop();
 native final void suspend();
 native int activeCount();
 native int activeGroupCount();
 native int enumerate(java.lang.ThreadGroup[] p0);
 native int enumerate(java.lang.ThreadGroup[] p0, boolean p1);
 native int enumerate(java.lang.Thread[] p0);
 native int enumerate(java.lang.Thread[] p0, boolean p1);
 native java.lang.String toString();
 native boolean isDestroyed();
 native void list();
 native void uncaughtException(java.lang.Thread p0, java.lang.Throwable p1);
}
class ThreadLocal<T>  {
 ThreadLocal() {}
 native T initialValue();
 native T get();
 static native <S> java.lang.ThreadLocal<S> withInitial(java.util.function.Supplier<? extends S> p0);
 native void remove();
 native void set(T p0);
}
class Throwable implements java.io.Serializable {
 Throwable(java.lang.String p0, java.lang.Throwable p1, boolean p2, boolean p3) {}
 Throwable() {}
 Throwable(java.lang.String p0) {}
 Throwable(java.lang.String p0, java.lang.Throwable p1) {}
 Throwable(java.lang.Throwable p0) {}
 native final java.lang.Throwable[] getSuppressed();
 native final void addSuppressed(java.lang.Throwable p0);
 native java.lang.StackTraceElement[] getStackTrace();
 native java.lang.String getLocalizedMessage();
 native java.lang.String getMessage();
 native java.lang.String toString();
 native java.lang.Throwable fillInStackTrace();
 native java.lang.Throwable getCause();
 native java.lang.Throwable initCause(java.lang.Throwable p0);
 native void printStackTrace();
 native void printStackTrace(java.io.PrintStream p0);
 native void printStackTrace(java.io.PrintWriter p0);
 native void setStackTrace(java.lang.StackTraceElement[] p0);
}
class TypeNotPresentException extends java.lang.RuntimeException {
 TypeNotPresentException(java.lang.String p0, java.lang.Throwable p1) {}
 native java.lang.String typeName();
}
class UnknownError extends java.lang.VirtualMachineError {
 UnknownError() {}
 UnknownError(java.lang.String p0) {}
}
class UnsatisfiedLinkError extends java.lang.LinkageError {
 UnsatisfiedLinkError() {}
 UnsatisfiedLinkError(java.lang.String p0) {}
}
class UnsupportedClassVersionError extends java.lang.ClassFormatError {
 UnsupportedClassVersionError() {}
 UnsupportedClassVersionError(java.lang.String p0) {}
}
class UnsupportedOperationException extends java.lang.RuntimeException {
 UnsupportedOperationException() {}
 UnsupportedOperationException(java.lang.String p0) {}
 UnsupportedOperationException(java.lang.String p0, java.lang.Throwable p1) {}
 UnsupportedOperationException(java.lang.Throwable p0) {}
}
class VerifyError extends java.lang.LinkageError {
 VerifyError() {}
 VerifyError(java.lang.String p0) {}
}
abstract class VirtualMachineError extends java.lang.Error {
 VirtualMachineError() {}
 VirtualMachineError(java.lang.String p0) {}
 VirtualMachineError(java.lang.String p0, java.lang.Throwable p1) {}
 VirtualMachineError(java.lang.Throwable p0) {}
}
class Void {
 static java.lang.Class<java.lang.Void> TYPE;
}
