package java.time.format;
class DateTimeFormatter {
 static java.time.format.DateTimeFormatter BASIC_ISO_DATE;
 static java.time.format.DateTimeFormatter ISO_DATE;
 static java.time.format.DateTimeFormatter ISO_DATE_TIME;
 static java.time.format.DateTimeFormatter ISO_INSTANT;
 static java.time.format.DateTimeFormatter ISO_LOCAL_DATE;
 static java.time.format.DateTimeFormatter ISO_LOCAL_DATE_TIME;
 static java.time.format.DateTimeFormatter ISO_LOCAL_TIME;
 static java.time.format.DateTimeFormatter ISO_OFFSET_DATE;
 static java.time.format.DateTimeFormatter ISO_OFFSET_DATE_TIME;
 static java.time.format.DateTimeFormatter ISO_OFFSET_TIME;
 static java.time.format.DateTimeFormatter ISO_ORDINAL_DATE;
 static java.time.format.DateTimeFormatter ISO_TIME;
 static java.time.format.DateTimeFormatter ISO_WEEK_DATE;
 static java.time.format.DateTimeFormatter ISO_ZONED_DATE_TIME;
 static java.time.format.DateTimeFormatter RFC_1123_DATE_TIME;
 native <T> T parse(java.lang.CharSequence p0, java.time.temporal.TemporalQuery<T> p1);
 native java.lang.String format(java.time.temporal.TemporalAccessor p0);
 native java.lang.String toString();
 native java.text.Format toFormat();
 native java.text.Format toFormat(java.time.temporal.TemporalQuery<?> p0);
 native java.time.ZoneId getZone();
 native java.time.chrono.Chronology getChronology();
 native java.time.format.DateTimeFormatter localizedBy(java.util.Locale p0);
 native java.time.format.DateTimeFormatter withChronology(java.time.chrono.Chronology p0);
 native java.time.format.DateTimeFormatter withDecimalStyle(java.time.format.DecimalStyle p0);
 native java.time.format.DateTimeFormatter withLocale(java.util.Locale p0);
 native java.time.format.DateTimeFormatter withResolverFields(java.time.temporal.TemporalField... p0);
 native java.time.format.DateTimeFormatter withResolverFields(java.util.Set<java.time.temporal.TemporalField> p0);
 native java.time.format.DateTimeFormatter withResolverStyle(java.time.format.ResolverStyle p0);
 native java.time.format.DateTimeFormatter withZone(java.time.ZoneId p0);
 native java.time.format.DecimalStyle getDecimalStyle();
 native java.time.format.ResolverStyle getResolverStyle();
 native java.time.temporal.TemporalAccessor parse(java.lang.CharSequence p0);
 native java.time.temporal.TemporalAccessor parse(java.lang.CharSequence p0, java.text.ParsePosition p1);
 native java.time.temporal.TemporalAccessor parseBest(java.lang.CharSequence p0, java.time.temporal.TemporalQuery<?>... p1);
 native java.time.temporal.TemporalAccessor parseUnresolved(java.lang.CharSequence p0, java.text.ParsePosition p1);
 native java.util.Locale getLocale();
 native java.util.Set<java.time.temporal.TemporalField> getResolverFields();
 static native final java.time.temporal.TemporalQuery<java.time.Period> parsedExcessDays();
 static native final java.time.temporal.TemporalQuery<java.lang.Boolean> parsedLeapSecond();
 static native java.time.format.DateTimeFormatter ofLocalizedDate(java.time.format.FormatStyle p0);
 static native java.time.format.DateTimeFormatter ofLocalizedDateTime(java.time.format.FormatStyle p0);
 static native java.time.format.DateTimeFormatter ofLocalizedDateTime(java.time.format.FormatStyle p0, java.time.format.FormatStyle p1);
 static native java.time.format.DateTimeFormatter ofLocalizedTime(java.time.format.FormatStyle p0);
 static native java.time.format.DateTimeFormatter ofPattern(java.lang.String p0);
 static native java.time.format.DateTimeFormatter ofPattern(java.lang.String p0, java.util.Locale p1);
 native void formatTo(java.time.temporal.TemporalAccessor p0, java.lang.Appendable p1);
}
class DateTimeFormatterBuilder {
 DateTimeFormatterBuilder() {}
 native java.time.format.DateTimeFormatter toFormatter();
 native java.time.format.DateTimeFormatter toFormatter(java.util.Locale p0);
 native java.time.format.DateTimeFormatterBuilder append(java.time.format.DateTimeFormatter p0);
 native java.time.format.DateTimeFormatterBuilder appendChronologyId();
 native java.time.format.DateTimeFormatterBuilder appendChronologyText(java.time.format.TextStyle p0);
 native java.time.format.DateTimeFormatterBuilder appendDayPeriodText(java.time.format.TextStyle p0);
 native java.time.format.DateTimeFormatterBuilder appendFraction(java.time.temporal.TemporalField p0, int p1, int p2, boolean p3);
 native java.time.format.DateTimeFormatterBuilder appendGenericZoneText(java.time.format.TextStyle p0);
 native java.time.format.DateTimeFormatterBuilder appendGenericZoneText(java.time.format.TextStyle p0, java.util.Set<java.time.ZoneId> p1);
 native java.time.format.DateTimeFormatterBuilder appendInstant();
 native java.time.format.DateTimeFormatterBuilder appendInstant(int p0);
 native java.time.format.DateTimeFormatterBuilder appendLiteral(char p0);
 native java.time.format.DateTimeFormatterBuilder appendLiteral(java.lang.String p0);
 native java.time.format.DateTimeFormatterBuilder appendLocalized(java.time.format.FormatStyle p0, java.time.format.FormatStyle p1);
 native java.time.format.DateTimeFormatterBuilder appendLocalizedOffset(java.time.format.TextStyle p0);
 native java.time.format.DateTimeFormatterBuilder appendOffset(java.lang.String p0, java.lang.String p1);
 native java.time.format.DateTimeFormatterBuilder appendOffsetId();
 native java.time.format.DateTimeFormatterBuilder appendOptional(java.time.format.DateTimeFormatter p0);
 native java.time.format.DateTimeFormatterBuilder appendPattern(java.lang.String p0);
 native java.time.format.DateTimeFormatterBuilder appendText(java.time.temporal.TemporalField p0);
 native java.time.format.DateTimeFormatterBuilder appendText(java.time.temporal.TemporalField p0, java.time.format.TextStyle p1);
 native java.time.format.DateTimeFormatterBuilder appendText(java.time.temporal.TemporalField p0, java.util.Map<java.lang.Long, java.lang.String> p1);
 native java.time.format.DateTimeFormatterBuilder appendValue(java.time.temporal.TemporalField p0);
 native java.time.format.DateTimeFormatterBuilder appendValue(java.time.temporal.TemporalField p0, int p1);
 native java.time.format.DateTimeFormatterBuilder appendValue(java.time.temporal.TemporalField p0, int p1, int p2, java.time.format.SignStyle p3);
 native java.time.format.DateTimeFormatterBuilder appendValueReduced(java.time.temporal.TemporalField p0, int p1, int p2, int p3);
 native java.time.format.DateTimeFormatterBuilder appendValueReduced(java.time.temporal.TemporalField p0, int p1, int p2, java.time.chrono.ChronoLocalDate p3);
 native java.time.format.DateTimeFormatterBuilder appendZoneId();
 native java.time.format.DateTimeFormatterBuilder appendZoneOrOffsetId();
 native java.time.format.DateTimeFormatterBuilder appendZoneRegionId();
 native java.time.format.DateTimeFormatterBuilder appendZoneText(java.time.format.TextStyle p0);
 native java.time.format.DateTimeFormatterBuilder appendZoneText(java.time.format.TextStyle p0, java.util.Set<java.time.ZoneId> p1);
 native java.time.format.DateTimeFormatterBuilder optionalEnd();
 native java.time.format.DateTimeFormatterBuilder optionalStart();
 native java.time.format.DateTimeFormatterBuilder padNext(int p0);
 native java.time.format.DateTimeFormatterBuilder padNext(int p0, char p1);
 native java.time.format.DateTimeFormatterBuilder parseCaseInsensitive();
 native java.time.format.DateTimeFormatterBuilder parseCaseSensitive();
 native java.time.format.DateTimeFormatterBuilder parseDefaulting(java.time.temporal.TemporalField p0, long p1);
 native java.time.format.DateTimeFormatterBuilder parseLenient();
 native java.time.format.DateTimeFormatterBuilder parseStrict();
 static native java.lang.String getLocalizedDateTimePattern(java.time.format.FormatStyle p0, java.time.format.FormatStyle p1, java.time.chrono.Chronology p2, java.util.Locale p3);
}
class DateTimeParseException extends java.time.DateTimeException {
 DateTimeParseException(java.lang.String p0, java.lang.CharSequence p1, int p2) {}
 DateTimeParseException(java.lang.String p0, java.lang.CharSequence p1, int p2, java.lang.Throwable p3) {}
 native int getErrorIndex();
 native java.lang.String getParsedString();
}
class DecimalStyle {
 static java.time.format.DecimalStyle STANDARD;
 native boolean equals(java.lang.Object p0);
 native char getDecimalSeparator();
 native char getNegativeSign();
 native char getPositiveSign();
 native char getZeroDigit();
 native int hashCode();
 native java.lang.String toString();
 native java.time.format.DecimalStyle withDecimalSeparator(char p0);
 native java.time.format.DecimalStyle withNegativeSign(char p0);
 native java.time.format.DecimalStyle withPositiveSign(char p0);
 native java.time.format.DecimalStyle withZeroDigit(char p0);
 static native java.time.format.DecimalStyle of(java.util.Locale p0);
 static native java.time.format.DecimalStyle ofDefaultLocale();
 static native java.util.Set<java.util.Locale> getAvailableLocales();
}
enum FormatStyle {
 FULL, LONG, MEDIUM, SHORT;
}
enum ResolverStyle {
 STRICT, SMART, LENIENT;
}
enum SignStyle {
 NORMAL, ALWAYS, NEVER, NOT_NEGATIVE, EXCEEDS_PAD;
}
enum TextStyle {
 FULL, FULL_STANDALONE, SHORT, SHORT_STANDALONE, NARROW, NARROW_STANDALONE;
 native boolean isStandalone();
 native java.time.format.TextStyle asNormal();
 native java.time.format.TextStyle asStandalone();
}
