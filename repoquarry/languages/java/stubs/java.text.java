package java.text;
class Annotation {
 Annotation(java.lang.Object p0) {}
 native java.lang.Object getValue();
 native java.lang.String toString();
}
interface AttributedCharacterIterator extends java.text.CharacterIterator {
 int getRunLimit();
 int getRunLimit(java.text.AttributedCharacterIterator.Attribute p0);
 int getRunLimit(java.util.Set<? extends java.text.AttributedCharacterIterator.Attribute> p0);
 int getRunStart();
 int getRunStart(java.text.AttributedCharacterIterator.Attribute p0);
 int getRunStart(java.util.Set<? extends java.text.AttributedCharacterIterator.Attribute> p0);
 java.lang.Object getAttribute(java.text.AttributedCharacterIterator.Attribute p0);
 java.util.Map<java.text.AttributedCharacterIterator.Attribute, java.lang.Object> getAttributes();
 java.util.Set<java.text.AttributedCharacterIterator.Attribute> getAllAttributeKeys();
 static class Attribute implements java.io.Serializable {
  static java.text.AttributedCharacterIterator.Attribute INPUT_METHOD_SEGMENT;
  static java.text.AttributedCharacterIterator.Attribute LANGUAGE;
  static java.text.AttributedCharacterIterator.Attribute READING;
  Attribute(java.lang.String p0) {}
  native java.lang.Object readResolve();
  native java.lang.String getName();
  native final boolean equals(java.lang.Object p0);
  native final int hashCode();
  native java.lang.String toString();
 }
}
class AttributedString {
 AttributedString(java.lang.String p0) {}
 AttributedString(java.lang.String p0, java.util.Map<? extends java.text.AttributedCharacterIterator.Attribute, ?> p1) {}
 AttributedString(java.text.AttributedCharacterIterator p0) {}
 AttributedString(java.text.AttributedCharacterIterator p0, int p1, int p2) {}
 AttributedString(java.text.AttributedCharacterIterator p0, int p1, int p2, java.text.AttributedCharacterIterator.Attribute[] p3) {}
 native java.text.AttributedCharacterIterator getIterator();
 native java.text.AttributedCharacterIterator getIterator(java.text.AttributedCharacterIterator.Attribute[] p0);
 native java.text.AttributedCharacterIterator getIterator(java.text.AttributedCharacterIterator.Attribute[] p0, int p1, int p2);
 native void addAttribute(java.text.AttributedCharacterIterator.Attribute p0, java.lang.Object p1);
 native void addAttribute(java.text.AttributedCharacterIterator.Attribute p0, java.lang.Object p1, int p2, int p3);
 native void addAttributes(java.util.Map<? extends java.text.AttributedCharacterIterator.Attribute, ?> p0, int p1, int p2);
}
class Bidi {
 static int DIRECTION_DEFAULT_LEFT_TO_RIGHT;
 static int DIRECTION_DEFAULT_RIGHT_TO_LEFT;
 static int DIRECTION_LEFT_TO_RIGHT;
 static int DIRECTION_RIGHT_TO_LEFT;
 Bidi(char[] p0, int p1, byte[] p2, int p3, int p4, int p5) {}
 Bidi(java.lang.String p0, int p1) {}
 Bidi(java.text.AttributedCharacterIterator p0) {}
 native boolean baseIsLeftToRight();
 native boolean isLeftToRight();
 native boolean isMixed();
 native boolean isRightToLeft();
 native int getBaseLevel();
 native int getLength();
 native int getLevelAt(int p0);
 native int getRunCount();
 native int getRunLevel(int p0);
 native int getRunLimit(int p0);
 native int getRunStart(int p0);
 native java.lang.String toString();
 native java.text.Bidi createLineBidi(int p0, int p1);
 static native boolean requiresBidi(char[] p0, int p1, int p2);
 static native void reorderVisually(byte[] p0, int p1, java.lang.Object[] p2, int p3, int p4);
}
abstract class BreakIterator implements java.lang.Cloneable {
 static int DONE;
 BreakIterator() {}
 abstract int current();
 abstract int first();
 abstract int following(int p0);
 abstract int last();
 abstract int next();
 abstract int next(int p0);
 abstract int previous();
 abstract java.text.CharacterIterator getText();
 abstract void setText(java.text.CharacterIterator p0);
 native boolean isBoundary(int p0);
 native int preceding(int p0);
 native java.lang.Object clone();
 static native java.text.BreakIterator getCharacterInstance();
 static native java.text.BreakIterator getCharacterInstance(java.util.Locale p0);
 static native java.text.BreakIterator getLineInstance();
 static native java.text.BreakIterator getLineInstance(java.util.Locale p0);
 static native java.text.BreakIterator getSentenceInstance();
 static native java.text.BreakIterator getSentenceInstance(java.util.Locale p0);
 static native java.text.BreakIterator getWordInstance();
 static native java.text.BreakIterator getWordInstance(java.util.Locale p0);
 static native java.util.Locale[] getAvailableLocales();
 native void setText(java.lang.String p0);
}
interface CharacterIterator extends java.lang.Cloneable {
 static char DONE;
 char current();
 char first();
 char last();
 char next();
 char previous();
 char setIndex(int p0);
 int getBeginIndex();
 int getEndIndex();
 int getIndex();
 java.lang.Object clone();
}
class ChoiceFormat extends java.text.NumberFormat {
 ChoiceFormat(double[] p0, java.lang.String[] p1) {}
 ChoiceFormat(java.lang.String p0) {}
 native boolean equals(java.lang.Object p0);
 native double[] getLimits();
 native int hashCode();
 native java.lang.Number parse(java.lang.String p0, java.text.ParsePosition p1);
 native java.lang.Object clone();
 native java.lang.Object[] getFormats();
 native java.lang.String toPattern();
 native java.lang.StringBuffer format(double p0, java.lang.StringBuffer p1, java.text.FieldPosition p2);
 native java.lang.StringBuffer format(long p0, java.lang.StringBuffer p1, java.text.FieldPosition p2);
 static native double nextDouble(double p0, boolean p1);
 static native final double nextDouble(double p0);
 static native final double previousDouble(double p0);
 native void applyPattern(java.lang.String p0);
 native void setChoices(double[] p0, java.lang.String[] p1);
}
class CollationElementIterator {
 static int NULLORDER;
 native int getMaxExpansion(int p0);
 native int getOffset();
 native int next();
 native int previous();
 static native final int primaryOrder(int p0);
 static native final short secondaryOrder(int p0);
 static native final short tertiaryOrder(int p0);
 native void reset();
 native void setOffset(int p0);
 native void setText(java.lang.String p0);
 native void setText(java.text.CharacterIterator p0);
}
abstract class CollationKey implements java.lang.Comparable<java.text.CollationKey> {
 CollationKey(java.lang.String p0) {}
 abstract byte[] toByteArray();
 abstract int compareTo(java.text.CollationKey p0);
 native java.lang.String getSourceString();
}
abstract class Collator implements java.util.Comparator<java.lang.Object>, java.lang.Cloneable {
 static int CANONICAL_DECOMPOSITION;
 static int FULL_DECOMPOSITION;
 static int IDENTICAL;
 static int NO_DECOMPOSITION;
 static int PRIMARY;
 static int SECONDARY;
 static int TERTIARY;
 Collator() {}
 abstract int compare(java.lang.String p0, java.lang.String p1);
 abstract int hashCode();
 abstract java.text.CollationKey getCollationKey(java.lang.String p0);
 native boolean equals(java.lang.Object p0);
 native boolean equals(java.lang.String p0, java.lang.String p1);
 native int compare(java.lang.Object p0, java.lang.Object p1);
 native java.lang.Object clone();
 static native java.text.Collator getInstance(java.util.Locale p0);
 static native java.text.Collator getInstance();
 static native java.util.Locale[] getAvailableLocales();
 native int getDecomposition();
 native int getStrength();
 native void setDecomposition(int p0);
 native void setStrength(int p0);
}
class CompactNumberFormat extends java.text.NumberFormat {
 CompactNumberFormat(java.lang.String p0, java.text.DecimalFormatSymbols p1, java.lang.String[] p2) {}
 CompactNumberFormat(java.lang.String p0, java.text.DecimalFormatSymbols p1, java.lang.String[] p2, java.lang.String p3) {}
 native boolean equals(java.lang.Object p0);
 native boolean isGroupingUsed();
 native boolean isParseBigDecimal();
 native boolean isParseIntegerOnly();
 native final java.lang.StringBuffer format(java.lang.Object p0, java.lang.StringBuffer p1, java.text.FieldPosition p2);
 native int getGroupingSize();
 native int hashCode();
 native java.lang.Number parse(java.lang.String p0, java.text.ParsePosition p1);
 native java.lang.StringBuffer format(double p0, java.lang.StringBuffer p1, java.text.FieldPosition p2);
 native java.lang.StringBuffer format(long p0, java.lang.StringBuffer p1, java.text.FieldPosition p2);
 native java.math.RoundingMode getRoundingMode();
 native java.text.AttributedCharacterIterator formatToCharacterIterator(java.lang.Object p0);
 native java.text.CompactNumberFormat clone();
 native void setGroupingSize(int p0);
 native void setGroupingUsed(boolean p0);
 native void setMaximumFractionDigits(int p0);
 native void setMaximumIntegerDigits(int p0);
 native void setMinimumFractionDigits(int p0);
 native void setMinimumIntegerDigits(int p0);
 native void setParseBigDecimal(boolean p0);
 native void setParseIntegerOnly(boolean p0);
 native void setRoundingMode(java.math.RoundingMode p0);
}
abstract class DateFormat extends java.text.Format {
 java.text.NumberFormat numberFormat;
 java.util.Calendar calendar;
 static int AM_PM_FIELD;
 static int DATE_FIELD;
 static int DAY_OF_WEEK_FIELD;
 static int DAY_OF_WEEK_IN_MONTH_FIELD;
 static int DAY_OF_YEAR_FIELD;
 static int DEFAULT;
 static int ERA_FIELD;
 static int FULL;
 static int HOUR0_FIELD;
 static int HOUR1_FIELD;
 static int HOUR_OF_DAY0_FIELD;
 static int HOUR_OF_DAY1_FIELD;
 static int LONG;
 static int MEDIUM;
 static int MILLISECOND_FIELD;
 static int MINUTE_FIELD;
 static int MONTH_FIELD;
 static int SECOND_FIELD;
 static int SHORT;
 static int TIMEZONE_FIELD;
 static int WEEK_OF_MONTH_FIELD;
 static int WEEK_OF_YEAR_FIELD;
 static int YEAR_FIELD;
 DateFormat() {}
 abstract java.lang.StringBuffer format(java.util.Date p0, java.lang.StringBuffer p1, java.text.FieldPosition p2);
 abstract java.util.Date parse(java.lang.String p0, java.text.ParsePosition p1);
 native boolean equals(java.lang.Object p0);
 native boolean isLenient();
 native final java.lang.String format(java.util.Date p0);
 native final java.lang.StringBuffer format(java.lang.Object p0, java.lang.StringBuffer p1, java.text.FieldPosition p2);
 native int hashCode();
 native java.lang.Object clone();
 native java.lang.Object parseObject(java.lang.String p0, java.text.ParsePosition p1);
 native java.text.NumberFormat getNumberFormat();
 native java.util.Calendar getCalendar();
 native java.util.Date parse(java.lang.String p0);
 native java.util.TimeZone getTimeZone();
 static native final java.text.DateFormat getDateInstance();
 static native final java.text.DateFormat getDateInstance(int p0);
 static native final java.text.DateFormat getDateInstance(int p0, java.util.Locale p1);
 static native final java.text.DateFormat getDateTimeInstance();
 static native final java.text.DateFormat getDateTimeInstance(int p0, int p1);
 static native final java.text.DateFormat getDateTimeInstance(int p0, int p1, java.util.Locale p2);
 static native final java.text.DateFormat getInstance();
 static native final java.text.DateFormat getTimeInstance();
 static native final java.text.DateFormat getTimeInstance(int p0);
 static native final java.text.DateFormat getTimeInstance(int p0, java.util.Locale p1);
 static native java.util.Locale[] getAvailableLocales();
 native void setCalendar(java.util.Calendar p0);
 native void setLenient(boolean p0);
 native void setNumberFormat(java.text.NumberFormat p0);
 native void setTimeZone(java.util.TimeZone p0);
 static class Field extends java.text.Format.Field {
  static java.text.DateFormat.Field AM_PM;
  static java.text.DateFormat.Field DAY_OF_MONTH;
  static java.text.DateFormat.Field DAY_OF_WEEK;
  static java.text.DateFormat.Field DAY_OF_WEEK_IN_MONTH;
  static java.text.DateFormat.Field DAY_OF_YEAR;
  static java.text.DateFormat.Field ERA;
  static java.text.DateFormat.Field HOUR0;
  static java.text.DateFormat.Field HOUR1;
  static java.text.DateFormat.Field HOUR_OF_DAY0;
  static java.text.DateFormat.Field HOUR_OF_DAY1;
  static java.text.DateFormat.Field MILLISECOND;
  static java.text.DateFormat.Field MINUTE;
  static java.text.DateFormat.Field MONTH;
  static java.text.DateFormat.Field SECOND;
  static java.text.DateFormat.Field TIME_ZONE;
  static java.text.DateFormat.Field WEEK_OF_MONTH;
  static java.text.DateFormat.Field WEEK_OF_YEAR;
  static java.text.DateFormat.Field YEAR;
  Field(java.lang.String p0, int p1) {}
  native java.lang.Object readResolve();
  native int getCalendarField();
  static native java.text.DateFormat.Field ofCalendarField(int p0);
 }
}
class DateFormatSymbols implements java.io.Serializable, java.lang.Cloneable {
 DateFormatSymbols() {}
 DateFormatSymbols(java.util.Locale p0) {}
 native boolean equals(java.lang.Object p0);
 native int hashCode();
 native java.lang.Object clone();
 native java.lang.String getLocalPatternChars();
 native java.lang.String[] getAmPmStrings();
 native java.lang.String[] getEras();
 native java.lang.String[] getMonths();
 native java.lang.String[] getShortMonths();
 native java.lang.String[] getShortWeekdays();
 native java.lang.String[] getWeekdays();
 native java.lang.String[][] getZoneStrings();
 static native final java.text.DateFormatSymbols getInstance();
 static native final java.text.DateFormatSymbols getInstance(java.util.Locale p0);
 static native java.util.Locale[] getAvailableLocales();
 native void setAmPmStrings(java.lang.String[] p0);
 native void setEras(java.lang.String[] p0);
 native void setLocalPatternChars(java.lang.String p0);
 native void setMonths(java.lang.String[] p0);
 native void setShortMonths(java.lang.String[] p0);
 native void setShortWeekdays(java.lang.String[] p0);
 native void setWeekdays(java.lang.String[] p0);
 native void setZoneStrings(java.lang.String[][] p0);
}
class DecimalFormat extends java.text.NumberFormat {
 DecimalFormat() {}
 DecimalFormat(java.lang.String p0) {}
 DecimalFormat(java.lang.String p0, java.text.DecimalFormatSymbols p1) {}
 native boolean equals(java.lang.Object p0);
 native boolean isDecimalSeparatorAlwaysShown();
 native boolean isParseBigDecimal();
 native final java.lang.StringBuffer format(java.lang.Object p0, java.lang.StringBuffer p1, java.text.FieldPosition p2);
 native int getGroupingSize();
 native int getMaximumFractionDigits();
 native int getMaximumIntegerDigits();
 native int getMinimumFractionDigits();
 native int getMinimumIntegerDigits();
 native int getMultiplier();
 native int hashCode();
 native java.lang.Number parse(java.lang.String p0, java.text.ParsePosition p1);
 native java.lang.Object clone();
 native java.lang.String getNegativePrefix();
 native java.lang.String getNegativeSuffix();
 native java.lang.String getPositivePrefix();
 native java.lang.String getPositiveSuffix();
 native java.lang.String toLocalizedPattern();
 native java.lang.String toPattern();
 native java.lang.StringBuffer format(double p0, java.lang.StringBuffer p1, java.text.FieldPosition p2);
 native java.lang.StringBuffer format(long p0, java.lang.StringBuffer p1, java.text.FieldPosition p2);
 native java.math.RoundingMode getRoundingMode();
 native java.text.AttributedCharacterIterator formatToCharacterIterator(java.lang.Object p0);
 native java.text.DecimalFormatSymbols getDecimalFormatSymbols();
 native java.util.Currency getCurrency();
 native void applyLocalizedPattern(java.lang.String p0);
 native void applyPattern(java.lang.String p0);
 native void setCurrency(java.util.Currency p0);
 native void setDecimalFormatSymbols(java.text.DecimalFormatSymbols p0);
 native void setDecimalSeparatorAlwaysShown(boolean p0);
 native void setGroupingSize(int p0);
 native void setGroupingUsed(boolean p0);
 native void setMaximumFractionDigits(int p0);
 native void setMaximumIntegerDigits(int p0);
 native void setMinimumFractionDigits(int p0);
 native void setMinimumIntegerDigits(int p0);
 native void setMultiplier(int p0);
 native void setNegativePrefix(java.lang.String p0);
 native void setNegativeSuffix(java.lang.String p0);
 native void setParseBigDecimal(boolean p0);
 native void setPositivePrefix(java.lang.String p0);
 native void setPositiveSuffix(java.lang.String p0);
 native void setRoundingMode(java.math.RoundingMode p0);
}
class DecimalFormatSymbols implements java.lang.Cloneable, java.io.Serializable {
 DecimalFormatSymbols() {}
 DecimalFormatSymbols(java.util.Locale p0) {}
 native boolean equals(java.lang.Object p0);
 native char getDecimalSeparator();
 native char getDigit();
 native char getGroupingSeparator();
 native char getMinusSign();
 native char getMonetaryDecimalSeparator();
 native char getMonetaryGroupingSeparator();
 native char getPatternSeparator();
 native char getPerMill();
 native char getPercent();
 native char getZeroDigit();
 native int hashCode();
 native java.lang.Object clone();
 native java.lang.String getCurrencySymbol();
 native java.lang.String getExponentSeparator();
 native java.lang.String getInfinity();
 native java.lang.String getInternationalCurrencySymbol();
 native java.lang.String getNaN();
 native java.util.Currency getCurrency();
 static native final java.text.DecimalFormatSymbols getInstance();
 static native final java.text.DecimalFormatSymbols getInstance(java.util.Locale p0);
 static native java.util.Locale[] getAvailableLocales();
 native void setCurrency(java.util.Currency p0);
 native void setCurrencySymbol(java.lang.String p0);
 native void setDecimalSeparator(char p0);
 native void setDigit(char p0);
 native void setExponentSeparator(java.lang.String p0);
 native void setGroupingSeparator(char p0);
 native void setInfinity(java.lang.String p0);
 native void setInternationalCurrencySymbol(java.lang.String p0);
 native void setMinusSign(char p0);
 native void setMonetaryDecimalSeparator(char p0);
 native void setMonetaryGroupingSeparator(char p0);
 native void setNaN(java.lang.String p0);
 native void setPatternSeparator(char p0);
 native void setPerMill(char p0);
 native void setPercent(char p0);
 native void setZeroDigit(char p0);
}
class FieldPosition {
 FieldPosition(int p0) {}
 FieldPosition(java.text.Format.Field p0) {}
 FieldPosition(java.text.Format.Field p0, int p1) {}
 native boolean equals(java.lang.Object p0);
 native int getBeginIndex();
 native int getEndIndex();
 native int getField();
 native int hashCode();
 native java.lang.String toString();
 native java.text.Format.Field getFieldAttribute();
 native void setBeginIndex(int p0);
 native void setEndIndex(int p0);
}
abstract class Format implements java.io.Serializable, java.lang.Cloneable {
 Format() {}
 abstract java.lang.Object parseObject(java.lang.String p0, java.text.ParsePosition p1);
 abstract java.lang.StringBuffer format(java.lang.Object p0, java.lang.StringBuffer p1, java.text.FieldPosition p2);
 native final java.lang.String format(java.lang.Object p0);
 native java.lang.Object clone();
 native java.lang.Object parseObject(java.lang.String p0);
 native java.text.AttributedCharacterIterator formatToCharacterIterator(java.lang.Object p0);
 static class Field extends java.text.AttributedCharacterIterator.Attribute {
  Field(java.lang.String p0) {}
 }
}
class MessageFormat extends java.text.Format {
 MessageFormat(java.lang.String p0) {}
 MessageFormat(java.lang.String p0, java.util.Locale p1) {}
 native boolean equals(java.lang.Object p0);
 native final java.lang.StringBuffer format(java.lang.Object p0, java.lang.StringBuffer p1, java.text.FieldPosition p2);
 native final java.lang.StringBuffer format(java.lang.Object[] p0, java.lang.StringBuffer p1, java.text.FieldPosition p2);
 native int hashCode();
 native java.lang.Object clone();
 native java.lang.Object parseObject(java.lang.String p0, java.text.ParsePosition p1);
 native java.lang.Object[] parse(java.lang.String p0);
 native java.lang.Object[] parse(java.lang.String p0, java.text.ParsePosition p1);
 native java.lang.String toPattern();
 native java.text.AttributedCharacterIterator formatToCharacterIterator(java.lang.Object p0);
 native java.text.Format[] getFormats();
 native java.text.Format[] getFormatsByArgumentIndex();
 native java.util.Locale getLocale();
 static native java.lang.String format(java.lang.String p0, java.lang.Object... p1);
 native void applyPattern(java.lang.String p0);
 native void setFormat(int p0, java.text.Format p1);
 native void setFormatByArgumentIndex(int p0, java.text.Format p1);
 native void setFormats(java.text.Format[] p0);
 native void setFormatsByArgumentIndex(java.text.Format[] p0);
 native void setLocale(java.util.Locale p0);
 static class Field extends java.text.Format.Field {
  static java.text.MessageFormat.Field ARGUMENT;
  Field(java.lang.String p0) {}
  native java.lang.Object readResolve();
 }
}
class Normalizer {
 static native boolean isNormalized(java.lang.CharSequence p0, java.text.Normalizer.Form p1);
 static native java.lang.String normalize(java.lang.CharSequence p0, java.text.Normalizer.Form p1);
 static enum Form {
  NFD, NFC, NFKD, NFKC;
 }
}
abstract class NumberFormat extends java.text.Format {
 static int FRACTION_FIELD;
 static int INTEGER_FIELD;
 NumberFormat() {}
 abstract java.lang.Number parse(java.lang.String p0, java.text.ParsePosition p1);
 abstract java.lang.StringBuffer format(double p0, java.lang.StringBuffer p1, java.text.FieldPosition p2);
 abstract java.lang.StringBuffer format(long p0, java.lang.StringBuffer p1, java.text.FieldPosition p2);
 native boolean equals(java.lang.Object p0);
 native boolean isGroupingUsed();
 native boolean isParseIntegerOnly();
 native final java.lang.Object parseObject(java.lang.String p0, java.text.ParsePosition p1);
 native final java.lang.String format(double p0);
 native final java.lang.String format(long p0);
 native int getMaximumFractionDigits();
 native int getMaximumIntegerDigits();
 native int getMinimumFractionDigits();
 native int getMinimumIntegerDigits();
 native int hashCode();
 native java.lang.Number parse(java.lang.String p0);
 native java.lang.Object clone();
 native java.lang.StringBuffer format(java.lang.Object p0, java.lang.StringBuffer p1, java.text.FieldPosition p2);
 native java.math.RoundingMode getRoundingMode();
 native java.util.Currency getCurrency();
 static native final java.text.NumberFormat getCurrencyInstance();
 static native final java.text.NumberFormat getInstance();
 static native final java.text.NumberFormat getIntegerInstance();
 static native final java.text.NumberFormat getNumberInstance();
 static native final java.text.NumberFormat getPercentInstance();
 static native java.text.NumberFormat getCompactNumberInstance();
 static native java.text.NumberFormat getCompactNumberInstance(java.util.Locale p0, java.text.NumberFormat.Style p1);
 static native java.text.NumberFormat getCurrencyInstance(java.util.Locale p0);
 static native java.text.NumberFormat getInstance(java.util.Locale p0);
 static native java.text.NumberFormat getIntegerInstance(java.util.Locale p0);
 static native java.text.NumberFormat getNumberInstance(java.util.Locale p0);
 static native java.text.NumberFormat getPercentInstance(java.util.Locale p0);
 static native java.util.Locale[] getAvailableLocales();
 native void setCurrency(java.util.Currency p0);
 native void setGroupingUsed(boolean p0);
 native void setMaximumFractionDigits(int p0);
 native void setMaximumIntegerDigits(int p0);
 native void setMinimumFractionDigits(int p0);
 native void setMinimumIntegerDigits(int p0);
 native void setParseIntegerOnly(boolean p0);
 native void setRoundingMode(java.math.RoundingMode p0);
 static class Field extends java.text.Format.Field {
  static java.text.NumberFormat.Field CURRENCY;
  static java.text.NumberFormat.Field DECIMAL_SEPARATOR;
  static java.text.NumberFormat.Field EXPONENT;
  static java.text.NumberFormat.Field EXPONENT_SIGN;
  static java.text.NumberFormat.Field EXPONENT_SYMBOL;
  static java.text.NumberFormat.Field FRACTION;
  static java.text.NumberFormat.Field GROUPING_SEPARATOR;
  static java.text.NumberFormat.Field INTEGER;
  static java.text.NumberFormat.Field PERCENT;
  static java.text.NumberFormat.Field PERMILLE;
  static java.text.NumberFormat.Field PREFIX;
  static java.text.NumberFormat.Field SIGN;
  static java.text.NumberFormat.Field SUFFIX;
  Field(java.lang.String p0) {}
  native java.lang.Object readResolve();
 }
 static enum Style {
  SHORT, LONG;
 }
}
class ParseException extends java.lang.Exception {
 ParseException(java.lang.String p0, int p1) {}
 native int getErrorOffset();
}
class ParsePosition {
 ParsePosition(int p0) {}
 native boolean equals(java.lang.Object p0);
 native int getErrorIndex();
 native int getIndex();
 native int hashCode();
 native java.lang.String toString();
 native void setErrorIndex(int p0);
 native void setIndex(int p0);
}
class RuleBasedCollator extends java.text.Collator {
 RuleBasedCollator(java.lang.String p0) {}
 native boolean equals(java.lang.Object p0);
 native int hashCode();
 native java.lang.Object clone();
 native java.lang.String getRules();
 native java.text.CollationElementIterator getCollationElementIterator(java.lang.String p0);
 native java.text.CollationElementIterator getCollationElementIterator(java.text.CharacterIterator p0);
 native int compare(java.lang.String p0, java.lang.String p1);
 native java.text.CollationKey getCollationKey(java.lang.String p0);
}
class SimpleDateFormat extends java.text.DateFormat {
 SimpleDateFormat() {}
 SimpleDateFormat(java.lang.String p0) {}
 SimpleDateFormat(java.lang.String p0, java.text.DateFormatSymbols p1) {}
 SimpleDateFormat(java.lang.String p0, java.util.Locale p1) {}
 native boolean equals(java.lang.Object p0);
 native int hashCode();
 native java.lang.Object clone();
 native java.lang.String toLocalizedPattern();
 native java.lang.String toPattern();
 native java.lang.StringBuffer format(java.util.Date p0, java.lang.StringBuffer p1, java.text.FieldPosition p2);
 native java.text.AttributedCharacterIterator formatToCharacterIterator(java.lang.Object p0);
 native java.text.DateFormatSymbols getDateFormatSymbols();
 native java.util.Date get2DigitYearStart();
 native java.util.Date parse(java.lang.String p0, java.text.ParsePosition p1);
 native void applyLocalizedPattern(java.lang.String p0);
 native void applyPattern(java.lang.String p0);
 native void set2DigitYearStart(java.util.Date p0);
 native void setDateFormatSymbols(java.text.DateFormatSymbols p0);
}
class StringCharacterIterator implements java.text.CharacterIterator {
 StringCharacterIterator(java.lang.String p0) {}
 StringCharacterIterator(java.lang.String p0, int p1) {}
 StringCharacterIterator(java.lang.String p0, int p1, int p2, int p3) {}
 native boolean equals(java.lang.Object p0);
 native char current();
 native char first();
 native char last();
 native char next();
 native char previous();
 native char setIndex(int p0);
 native int getBeginIndex();
 native int getEndIndex();
 native int getIndex();
 native int hashCode();
 native java.lang.Object clone();
 native void setText(java.lang.String p0);
}
