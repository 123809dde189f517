package java.time.chrono;
abstract class AbstractChronology implements java.time.chrono.Chronology {
 AbstractChronology() {}
 native boolean equals(java.lang.Object p0);
 native int compareTo(java.time.chrono.Chronology p0);
 native int hashCode();
 native java.lang.String toString();
 native java.time.chrono.ChronoLocalDate resolveDate(java.util.Map<java.time.temporal.TemporalField, java.lang.Long> p0, java.time.format.ResolverStyle p1);
}
interface ChronoLocalDate extends java.time.temporal.Temporal, java.time.temporal.TemporalAdjuster, java.lang.Comparable<java.time.chrono.ChronoLocalDate> {
 boolean equals(java.lang.Object p0);
 int hashCode();
 int lengthOfMonth();
 java.lang.String toString();
 java.time.chrono.ChronoPeriod until(java.time.chrono.ChronoLocalDate p0);
 java.time.chrono.Chronology getChronology();
 long until(java.time.temporal.Temporal p0, java.time.temporal.TemporalUnit p1);
 default boolean isAfter(java.time.chrono.ChronoLocalDate p0) {}
 default boolean isBefore(java.time.chrono.ChronoLocalDate p0) {}
 default boolean isEqual(java.time.chrono.ChronoLocalDate p0) {}
 default boolean isLeapYear() {}
 default boolean isSupported(java.time.temporal.TemporalField p0) {}
 default boolean isSupported(java.time.temporal.TemporalUnit p0) {}
 default int compareTo(java.time.chrono.ChronoLocalDate p0) {}
 default int lengthOfYear() {}
 default <R> R query(java.time.temporal.TemporalQuery<R> p0) {}
 default java.lang.String format(java.time.format.DateTimeFormatter p0) {}
 default java.time.chrono.ChronoLocalDate minus(java.time.temporal.TemporalAmount p0) {}
 default java.time.chrono.ChronoLocalDate minus(long p0, java.time.temporal.TemporalUnit p1) {}
 default java.time.chrono.ChronoLocalDate plus(java.time.temporal.TemporalAmount p0) {}
 default java.time.chrono.ChronoLocalDate plus(long p0, java.time.temporal.TemporalUnit p1) {}
 default java.time.chrono.ChronoLocalDate with(java.time.temporal.TemporalAdjuster p0) {}
 default java.time.chrono.ChronoLocalDate with(java.time.temporal.TemporalField p0, long p1) {}
 default java.time.chrono.ChronoLocalDateTime<?> atTime(java.time.LocalTime p0) {}
 default java.time.chrono.Era getEra() {}
 default java.time.temporal.Temporal adjustInto(java.time.temporal.Temporal p0) {}
 default long toEpochDay() {}
 static java.time.chrono.ChronoLocalDate from(java.time.temporal.TemporalAccessor p0) {}
 static java.util.Comparator<java.time.chrono.ChronoLocalDate> timeLineOrder() {}
}
interface ChronoLocalDateTime<D extends java.time.chrono.ChronoLocalDate>  extends java.time.temporal.Temporal, java.time.temporal.TemporalAdjuster, java.lang.Comparable<java.time.chrono.ChronoLocalDateTime<?>> {
 boolean equals(java.lang.Object p0);
 boolean isSupported(java.time.temporal.TemporalField p0);
 int hashCode();
 java.lang.String toString();
 java.time.LocalTime toLocalTime();
 D toLocalDate();
 java.time.chrono.ChronoLocalDateTime<D> plus(long p0, java.time.temporal.TemporalUnit p1);
 java.time.chrono.ChronoLocalDateTime<D> with(java.time.temporal.TemporalField p0, long p1);
 java.time.chrono.ChronoZonedDateTime<D> atZone(java.time.ZoneId p0);
 default boolean isAfter(java.time.chrono.ChronoLocalDateTime<?> p0) {}
 default boolean isBefore(java.time.chrono.ChronoLocalDateTime<?> p0) {}
 default boolean isEqual(java.time.chrono.ChronoLocalDateTime<?> p0) {}
 default boolean isSupported(java.time.temporal.TemporalUnit p0) {}
 default int compareTo(java.time.chrono.ChronoLocalDateTime<?> p0) {}
 default <R> R query(java.time.temporal.TemporalQuery<R> p0) {}
 default java.lang.String format(java.time.format.DateTimeFormatter p0) {}
 default java.time.Instant toInstant(java.time.ZoneOffset p0) {}
 default java.time.chrono.ChronoLocalDateTime<D> minus(java.time.temporal.TemporalAmount p0) {}
 default java.time.chrono.ChronoLocalDateTime<D> minus(long p0, java.time.temporal.TemporalUnit p1) {}
 default java.time.chrono.ChronoLocalDateTime<D> plus(java.time.temporal.TemporalAmount p0) {}
 default java.time.chrono.ChronoLocalDateTime<D> with(java.time.temporal.TemporalAdjuster p0) {}
 default java.time.chrono.Chronology getChronology() {}
 default java.time.temporal.Temporal adjustInto(java.time.temporal.Temporal p0) {}
 default long toEpochSecond(java.time.ZoneOffset p0) {}
 static java.time.chrono.ChronoLocalDateTime<?> from(java.time.temporal.TemporalAccessor p0) {}
 static java.util.Comparator<java.time.chrono.ChronoLocalDateTime<?>> timeLineOrder() {}
}
interface ChronoPeriod extends java.time.temporal.TemporalAmount {
 boolean equals(java.lang.Object p0);
 int hashCode();
 java.lang.String toString();
 java.time.chrono.ChronoPeriod minus(java.time.temporal.TemporalAmount p0);
 java.time.chrono.ChronoPeriod multipliedBy(int p0);
 java.time.chrono.ChronoPeriod normalized();
 java.time.chrono.ChronoPeriod plus(java.time.temporal.TemporalAmount p0);
 java.time.chrono.Chronology getChronology();
 java.time.temporal.Temporal addTo(java.time.temporal.Temporal p0);
 java.time.temporal.Temporal subtractFrom(java.time.temporal.Temporal p0);
 java.util.List<java.time.temporal.TemporalUnit> getUnits();
 long get(java.time.temporal.TemporalUnit p0);
 default boolean isNegative() {}
 default boolean isZero() {}
 default java.time.chrono.ChronoPeriod negated() {}
 static java.time.chrono.ChronoPeriod between(java.time.chrono.ChronoLocalDate p0, java.time.chrono.ChronoLocalDate p1) {}
}
interface ChronoZonedDateTime<D extends java.time.chrono.ChronoLocalDate>  extends java.time.temporal.Temporal, java.lang.Comparable<java.time.chrono.ChronoZonedDateTime<?>> {
 boolean equals(java.lang.Object p0);
 boolean isSupported(java.time.temporal.TemporalField p0);
 int hashCode();
 java.lang.String toString();
 java.time.ZoneId getZone();
 java.time.ZoneOffset getOffset();
 java.time.chrono.ChronoLocalDateTime<D> toLocalDateTime();
 java.time.chrono.ChronoZonedDateTime<D> plus(long p0, java.time.temporal.TemporalUnit p1);
 java.time.chrono.ChronoZonedDateTime<D> with(java.time.temporal.TemporalField p0, long p1);
 java.time.chrono.ChronoZonedDateTime<D> withEarlierOffsetAtOverlap();
 java.time.chrono.ChronoZonedDateTime<D> withLaterOffsetAtOverlap();
 java.time.chrono.ChronoZonedDateTime<D> withZoneSameInstant(java.time.ZoneId p0);
 java.time.chrono.ChronoZonedDateTime<D> withZoneSameLocal(java.time.ZoneId p0);
 default boolean isAfter(java.time.chrono.ChronoZonedDateTime<?> p0) {}
 default boolean isBefore(java.time.chrono.ChronoZonedDateTime<?> p0) {}
 default boolean isEqual(java.time.chrono.ChronoZonedDateTime<?> p0) {}
 default boolean isSupported(java.time.temporal.TemporalUnit p0) {}
 default int compareTo(java.time.chrono.ChronoZonedDateTime<?> p0) {}
 default int get(java.time.temporal.TemporalField p0) {}
 default <R> R query(java.time.temporal.TemporalQuery<R> p0) {}
 default java.lang.String format(java.time.format.DateTimeFormatter p0) {}
 default java.time.Instant toInstant() {}
 default java.time.LocalTime toLocalTime() {}
 default D toLocalDate() {}
 default java.time.chrono.ChronoZonedDateTime<D> minus(java.time.temporal.TemporalAmount p0) {}
 default java.time.chrono.ChronoZonedDateTime<D> minus(long p0, java.time.temporal.TemporalUnit p1) {}
 default java.time.chrono.ChronoZonedDateTime<D> plus(java.time.temporal.TemporalAmount p0) {}
 default java.time.chrono.ChronoZonedDateTime<D> with(java.time.temporal.TemporalAdjuster p0) {}
 default java.time.chrono.Chronology getChronology() {}
 default java.time.temporal.ValueRange range(java.time.temporal.TemporalField p0) {}
 default long getLong(java.time.temporal.TemporalField p0) {}
 default long toEpochSecond() {}
 static java.time.chrono.ChronoZonedDateTime<?> from(java.time.temporal.TemporalAccessor p0) {}
 static java.util.Comparator<java.time.chrono.ChronoZonedDateTime<?>> timeLineOrder() {}
}
interface Chronology extends java.lang.Comparable<java.time.chrono.Chronology> {
 boolean equals(java.lang.Object p0);
 boolean isLeapYear(long p0);
 int compareTo(java.time.chrono.Chronology p0);
 int hashCode();
 int prolepticYear(java.time.chrono.Era p0, int p1);
 java.lang.String getCalendarType();
 java.lang.String getId();
 java.lang.String toString();
 java.time.chrono.ChronoLocalDate date(int p0, int p1, int p2);
 java.time.chrono.ChronoLocalDate date(java.time.temporal.TemporalAccessor p0);
 java.time.chrono.ChronoLocalDate dateEpochDay(long p0);
 java.time.chrono.ChronoLocalDate dateYearDay(int p0, int p1);
 java.time.chrono.ChronoLocalDate resolveDate(java.util.Map<java.time.temporal.TemporalField, java.lang.Long> p0, java.time.format.ResolverStyle p1);
 java.time.chrono.Era eraOf(int p0);
 java.time.temporal.ValueRange range(java.time.temporal.ChronoField p0);
 java.util.List<java.time.chrono.Era> eras();
 default java.lang.String getDisplayName(java.time.format.TextStyle p0, java.util.Locale p1) {}
 default java.time.chrono.ChronoLocalDate date(java.time.chrono.Era p0, int p1, int p2, int p3) {}
 default java.time.chrono.ChronoLocalDate dateNow() {}
 default java.time.chrono.ChronoLocalDate dateNow(java.time.Clock p0) {}
 default java.time.chrono.ChronoLocalDate dateNow(java.time.ZoneId p0) {}
 default java.time.chrono.ChronoLocalDate dateYearDay(java.time.chrono.Era p0, int p1, int p2) {}
 default java.time.chrono.ChronoLocalDateTime<? extends java.time.chrono.ChronoLocalDate> localDateTime(java.time.temporal.TemporalAccessor p0) {}
 default java.time.chrono.ChronoPeriod period(int p0, int p1, int p2) {}
 default java.time.chrono.ChronoZonedDateTime<? extends java.time.chrono.ChronoLocalDate> zonedDateTime(java.time.Instant p0, java.time.ZoneId p1) {}
 default java.time.chrono.ChronoZonedDateTime<? extends java.time.chrono.ChronoLocalDate> zonedDateTime(java.time.temporal.TemporalAccessor p0) {}
 default long epochSecond(int p0, int p1, int p2, int p3, int p4, int p5, java.time.ZoneOffset p6) {}
 default long epochSecond(java.time.chrono.Era p0, int p1, int p2, int p3, int p4, int p5, int p6, java.time.ZoneOffset p7) {}
 static java.time.chrono.Chronology from(java.time.temporal.TemporalAccessor p0) {}
 static java.time.chrono.Chronology of(java.lang.String p0) {}
 static java.time.chrono.Chronology ofLocale(java.util.Locale p0) {}
 static java.util.Set<java.time.chrono.Chronology> getAvailableChronologies() {}
}
interface Era extends java.time.temporal.TemporalAccessor, java.time.temporal.TemporalAdjuster {
 int getValue();
 default boolean isSupported(java.time.temporal.TemporalField p0) {}
 default int get(java.time.temporal.TemporalField p0) {}
 default <R> R query(java.time.temporal.TemporalQuery<R> p0) {}
 default java.lang.String getDisplayName(java.time.format.TextStyle p0, java.util.Locale p1) {}
 default java.time.temporal.Temporal adjustInto(java.time.temporal.Temporal p0) {}
 default java.time.temporal.ValueRange range(java.time.temporal.TemporalField p0) {}
 default long getLong(java.time.temporal.TemporalField p0) {}
}
class HijrahChronology extends java.time.chrono.AbstractChronology implements java.io.Serializable {
 static java.time.chrono.HijrahChronology INSTANCE;
 native boolean isLeapYear(long p0);
 native int prolepticYear(java.time.chrono.Era p0, int p1);
 native java.lang.String getCalendarType();
 native java.lang.String getId();
 native java.time.chrono.ChronoLocalDateTime<java.time.chrono.HijrahDate> localDateTime(java.time.temporal.TemporalAccessor p0);
 native java.time.chrono.ChronoZonedDateTime<java.time.chrono.HijrahDate> zonedDateTime(java.time.Instant p0, java.time.ZoneId p1);
 native java.time.chrono.ChronoZonedDateTime<java.time.chrono.HijrahDate> zonedDateTime(java.time.temporal.TemporalAccessor p0);
 native java.time.chrono.HijrahDate date(int p0, int p1, int p2);
 native java.time.chrono.HijrahDate date(java.time.chrono.Era p0, int p1, int p2, int p3);
 native java.time.chrono.HijrahDate date(java.time.temporal.TemporalAccessor p0);
 native java.time.chrono.HijrahDate dateEpochDay(long p0);
 native java.time.chrono.HijrahDate dateNow();
 native java.time.chrono.HijrahDate dateNow(java.time.Clock p0);
 native java.time.chrono.HijrahDate dateNow(java.time.ZoneId p0);
 native java.time.chrono.HijrahDate dateYearDay(int p0, int p1);
 native java.time.chrono.HijrahDate dateYearDay(java.time.chrono.Era p0, int p1, int p2);
 native java.time.chrono.HijrahDate resolveDate(java.util.Map<java.time.temporal.TemporalField, java.lang.Long> p0, java.time.format.ResolverStyle p1);
 native java.time.chrono.HijrahEra eraOf(int p0);
 native java.time.temporal.ValueRange range(java.time.temporal.ChronoField p0);
 native java.util.List<java.time.chrono.Era> eras();
}
class HijrahDate extends java.time.chrono.ChronoLocalDateImpl<java.time.chrono.HijrahDate> implements java.time.chrono.ChronoLocalDate, java.io.Serializable {
 native boolean equals(java.lang.Object p0);
 native boolean isLeapYear();
 native final java.time.chrono.ChronoLocalDateTime<java.time.chrono.HijrahDate> atTime(java.time.LocalTime p0);
 native int hashCode();
 native int lengthOfMonth();
 native int lengthOfYear();
 native java.time.chrono.ChronoPeriod until(java.time.chrono.ChronoLocalDate p0);
 native java.time.chrono.HijrahChronology getChronology();
 native java.time.chrono.HijrahDate minus(java.time.temporal.TemporalAmount p0);
 native java.time.chrono.HijrahDate minus(long p0, java.time.temporal.TemporalUnit p1);
 native java.time.chrono.HijrahDate plus(java.time.temporal.TemporalAmount p0);
 native java.time.chrono.HijrahDate plus(long p0, java.time.temporal.TemporalUnit p1);
 native java.time.chrono.HijrahDate with(java.time.temporal.TemporalAdjuster p0);
 native java.time.chrono.HijrahDate with(java.time.temporal.TemporalField p0, long p1);
 native java.time.chrono.HijrahDate withVariant(java.time.chrono.HijrahChronology p0);
 native java.time.chrono.HijrahEra getEra();
 native java.time.temporal.ValueRange range(java.time.temporal.TemporalField p0);
 native long getLong(java.time.temporal.TemporalField p0);
 native long toEpochDay();
 static native java.time.chrono.HijrahDate from(java.time.temporal.TemporalAccessor p0);
 static native java.time.chrono.HijrahDate now();
 static native java.time.chrono.HijrahDate now(java.time.Clock p0);
 static native java.time.chrono.HijrahDate now(java.time.ZoneId p0);
 static native java.time.chrono.HijrahDate of(int p0, int p1, int p2);
}
enum HijrahEra implements java.time.chrono.Era {
 AH;
 native int getValue();
 native java.lang.String getDisplayName(java.time.format.TextStyle p0, java.util.Locale p1);
 native java.time.temporal.ValueRange range(java.time.temporal.TemporalField p0);
 static native java.time.chrono.HijrahEra of(int p0);
}
class IsoChronology extends java.time.chrono.AbstractChronology implements java.io.Serializable {
 static java.time.chrono.IsoChronology INSTANCE;
 native boolean isLeapYear(long p0);
 native int prolepticYear(java.time.chrono.Era p0, int p1);
 native java.lang.String getCalendarType();
 native java.lang.String getId();
 native java.time.LocalDate date(int p0, int p1, int p2);
 native java.time.LocalDate date(java.time.chrono.Era p0, int p1, int p2, int p3);
 native java.time.LocalDate date(java.time.temporal.TemporalAccessor p0);
 native java.time.LocalDate dateEpochDay(long p0);
 native java.time.LocalDate dateNow();
 native java.time.LocalDate dateNow(java.time.Clock p0);
 native java.time.LocalDate dateNow(java.time.ZoneId p0);
 native java.time.LocalDate dateYearDay(int p0, int p1);
 native java.time.LocalDate dateYearDay(java.time.chrono.Era p0, int p1, int p2);
 native java.time.LocalDate resolveDate(java.util.Map<java.time.temporal.TemporalField, java.lang.Long> p0, java.time.format.ResolverStyle p1);
 native java.time.LocalDateTime localDateTime(java.time.temporal.TemporalAccessor p0);
 native java.time.Period period(int p0, int p1, int p2);
 native java.time.ZonedDateTime zonedDateTime(java.time.Instant p0, java.time.ZoneId p1);
 native java.time.ZonedDateTime zonedDateTime(java.time.temporal.TemporalAccessor p0);
 native java.time.chrono.IsoEra eraOf(int p0);
 native java.time.temporal.ValueRange range(java.time.temporal.ChronoField p0);
 native java.util.List<java.time.chrono.Era> eras();
 native long epochSecond(int p0, int p1, int p2, int p3, int p4, int p5, java.time.ZoneOffset p6);
}
enum IsoEra implements java.time.chrono.Era {
 BCE, CE;
 native int getValue();
 static native java.time.chrono.IsoEra of(int p0);
}
class JapaneseChronology extends java.time.chrono.AbstractChronology implements java.io.Serializable {
 static java.time.chrono.JapaneseChronology INSTANCE;
 native boolean isLeapYear(long p0);
 native int prolepticYear(java.time.chrono.Era p0, int p1);
 native java.lang.String getCalendarType();
 native java.lang.String getId();
 native java.time.chrono.ChronoLocalDateTime<java.time.chrono.JapaneseDate> localDateTime(java.time.temporal.TemporalAccessor p0);
 native java.time.chrono.ChronoZonedDateTime<java.time.chrono.JapaneseDate> zonedDateTime(java.time.Instant p0, java.time.ZoneId p1);
 native java.time.chrono.ChronoZonedDateTime<java.time.chrono.JapaneseDate> zonedDateTime(java.time.temporal.TemporalAccessor p0);
 native java.time.chrono.JapaneseDate date(int p0, int p1, int p2);
 native java.time.chrono.JapaneseDate date(java.time.chrono.Era p0, int p1, int p2, int p3);
 native java.time.chrono.JapaneseDate date(java.time.temporal.TemporalAccessor p0);
 native java.time.chrono.JapaneseDate dateEpochDay(long p0);
 native java.time.chrono.JapaneseDate dateNow();
 native java.time.chrono.JapaneseDate dateNow(java.time.Clock p0);
 native java.time.chrono.JapaneseDate dateNow(java.time.ZoneId p0);
 native java.time.chrono.JapaneseDate dateYearDay(int p0, int p1);
 native java.time.chrono.JapaneseDate dateYearDay(java.time.chrono.Era p0, int p1, int p2);
 native java.time.chrono.JapaneseDate resolveDate(java.util.Map<java.time.temporal.TemporalField, java.lang.Long> p0, java.time.format.ResolverStyle p1);
 native java.time.chrono.JapaneseEra eraOf(int p0);
 native java.time.temporal.ValueRange range(java.time.temporal.ChronoField p0);
 native java.util.List<java.time.chrono.Era> eras();
}
class JapaneseDate extends java.time.chrono.ChronoLocalDateImpl<java.time.chrono.JapaneseDate> implements java.time.chrono.ChronoLocalDate, java.io.Serializable {
 native boolean equals(java.lang.Object p0);
 native boolean isSupported(java.time.temporal.TemporalField p0);
 native final java.time.chrono.ChronoLocalDateTime<java.time.chrono.JapaneseDate> atTime(java.time.LocalTime p0);
 native int hashCode();
 native int lengthOfMonth();
 native int lengthOfYear();
 native java.time.chrono.ChronoPeriod until(java.time.chrono.ChronoLocalDate p0);
 native java.time.chrono.JapaneseChronology getChronology();
 native java.time.chrono.JapaneseDate minus(java.time.temporal.TemporalAmount p0);
 native java.time.chrono.JapaneseDate minus(long p0, java.time.temporal.TemporalUnit p1);
 native java.time.chrono.JapaneseDate plus(java.time.temporal.TemporalAmount p0);
 native java.time.chrono.JapaneseDate plus(long p0, java.time.temporal.TemporalUnit p1);
 native java.time.chrono.JapaneseDate with(java.time.temporal.TemporalAdjuster p0);
 native java.time.chrono.JapaneseDate with(java.time.temporal.TemporalField p0, long p1);
 native java.time.chrono.JapaneseEra getEra();
 native java.time.temporal.ValueRange range(java.time.temporal.TemporalField p0);
 native long getLong(java.time.temporal.TemporalField p0);
 native long toEpochDay();
 static native java.time.chrono.JapaneseDate from(java.time.temporal.TemporalAccessor p0);
 static native java.time.chrono.JapaneseDate now();
 static native java.time.chrono.JapaneseDate now(java.time.Clock p0);
 static native java.time.chrono.JapaneseDate now(java.time.ZoneId p0);
 static native java.time.chrono.JapaneseDate of(int p0, int p1, int p2);
 static native java.time.chrono.JapaneseDate of(java.time.chrono.JapaneseEra p0, int p1, int p2, int p3);
}
class JapaneseEra implements java.time.chrono.Era, java.io.Serializable {
 static java.time.chrono.JapaneseEra HEISEI;
 static java.time.chrono.JapaneseEra MEIJI;
 static java.time.chrono.JapaneseEra REIWA;
 static java.time.chrono.JapaneseEra SHOWA;
 static java.time.chrono.JapaneseEra TAISHO;
 native int getValue();
 native java.lang.String getDisplayName(java.time.format.TextStyle p0, java.util.Locale p1);
 native java.lang.String toString();
 native java.time.temporal.ValueRange range(java.time.temporal.TemporalField p0);
 static native java.time.chrono.JapaneseEra of(int p0);
 static native java.time.chrono.JapaneseEra valueOf(java.lang.String p0);
 static native java.time.chrono.JapaneseEra[] values();
}
class MinguoChronology extends java.time.chrono.AbstractChronology implements java.io.Serializable {
 static java.time.chrono.MinguoChronology INSTANCE;
 native boolean isLeapYear(long p0);
 native int prolepticYear(java.time.chrono.Era p0, int p1);
 native java.lang.String getCalendarType();
 native java.lang.String getId();
 native java.time.chrono.ChronoLocalDateTime<java.time.chrono.MinguoDate> localDateTime(java.time.temporal.TemporalAccessor p0);
 native java.time.chrono.ChronoZonedDateTime<java.time.chrono.MinguoDate> zonedDateTime(java.time.Instant p0, java.time.ZoneId p1);
 native java.time.chrono.ChronoZonedDateTime<java.time.chrono.MinguoDate> zonedDateTime(java.time.temporal.TemporalAccessor p0);
 native java.time.chrono.MinguoDate date(int p0, int p1, int p2);
 native java.time.chrono.MinguoDate date(java.time.chrono.Era p0, int p1, int p2, int p3);
 native java.time.chrono.MinguoDate date(java.time.temporal.TemporalAccessor p0);
 native java.time.chrono.MinguoDate dateEpochDay(long p0);
 native java.time.chrono.MinguoDate dateNow();
 native java.time.chrono.MinguoDate dateNow(java.time.Clock p0);
 native java.time.chrono.MinguoDate dateNow(java.time.ZoneId p0);
 native java.time.chrono.MinguoDate dateYearDay(int p0, int p1);
 native java.time.chrono.MinguoDate dateYearDay(java.time.chrono.Era p0, int p1, int p2);
 native java.time.chrono.MinguoDate resolveDate(java.util.Map<java.time.temporal.TemporalField, java.lang.Long> p0, java.time.format.ResolverStyle p1);
 native java.time.chrono.MinguoEra eraOf(int p0);
 native java.time.temporal.ValueRange range(java.time.temporal.ChronoField p0);
 native java.util.List<java.time.chrono.Era> eras();
}
class MinguoDate extends java.time.chrono.ChronoLocalDateImpl<java.time.chrono.MinguoDate> implements java.time.chrono.ChronoLocalDate, java.io.Serializable {
 native boolean equals(java.lang.Object p0);
 native final java.time.chrono.ChronoLocalDateTime<java.time.chrono.MinguoDate> atTime(java.time.LocalTime p0);
 native int hashCode();
 native int lengthOfMonth();
 native java.time.chrono.ChronoPeriod until(java.time.chrono.ChronoLocalDate p0);
 native java.time.chrono.MinguoChronology getChronology();
 native java.time.chrono.MinguoDate minus(java.time.temporal.TemporalAmount p0);
 native java.time.chrono.MinguoDate minus(long p0, java.time.temporal.TemporalUnit p1);
 native java.time.chrono.MinguoDate plus(java.time.temporal.TemporalAmount p0);
 native java.time.chrono.MinguoDate plus(long p0, java.time.temporal.TemporalUnit p1);
 native java.time.chrono.MinguoDate with(java.time.temporal.TemporalAdjuster p0);
 native java.time.chrono.MinguoDate with(java.time.temporal.TemporalField p0, long p1);
 native java.time.chrono.MinguoEra getEra();
 native java.time.temporal.ValueRange range(java.time.temporal.TemporalField p0);
 native long getLong(java.time.temporal.TemporalField p0);
 native long toEpochDay();
 static native java.time.chrono.MinguoDate from(java.time.temporal.TemporalAccessor p0);
 static native java.time.chrono.MinguoDate now();
 static native java.time.chrono.MinguoDate now(java.time.Clock p0);
 static native java.time.chrono.MinguoDate now(java.time.ZoneId p0);
 static native java.time.chrono.MinguoDate of(int p0, int p1, int p2);
}
enum MinguoEra implements java.time.chrono.Era {
 BEFORE_ROC, ROC;
 native int getValue();
 native java.lang.String getDisplayName(java.time.format.TextStyle p0, java.util.Locale p1);
 static native java.time.chrono.MinguoEra of(int p0);
}
class ThaiBuddhistChronology extends java.time.chrono.AbstractChronology implements java.io.Serializable {
 static java.time.chrono.ThaiBuddhistChronology INSTANCE;
 native boolean isLeapYear(long p0);
 native int prolepticYear(java.time.chrono.Era p0, int p1);
 native java.lang.String getCalendarType();
 native java.lang.String getId();
 native java.time.chrono.ChronoLocalDateTime<java.time.chrono.ThaiBuddhistDate> localDateTime(java.time.temporal.TemporalAccessor p0);
 native java.time.chrono.ChronoZonedDateTime<java.time.chrono.ThaiBuddhistDate> zonedDateTime(java.time.Instant p0, java.time.ZoneId p1);
 native java.time.chrono.ChronoZonedDateTime<java.time.chrono.ThaiBuddhistDate> zonedDateTime(java.time.temporal.TemporalAccessor p0);
 native java.time.chrono.ThaiBuddhistDate date(int p0, int p1, int p2);
 native java.time.chrono.ThaiBuddhistDate date(java.time.chrono.Era p0, int p1, int p2, int p3);
 native java.time.chrono.ThaiBuddhistDate date(java.time.temporal.TemporalAccessor p0);
 native java.time.chrono.ThaiBuddhistDate dateEpochDay(long p0);
 native java.time.chrono.ThaiBuddhistDate dateNow();
 native java.time.chrono.ThaiBuddhistDate dateNow(java.time.Clock p0);
 native java.time.chrono.ThaiBuddhistDate dateNow(java.time.ZoneId p0);
 native java.time.chrono.ThaiBuddhistDate dateYearDay(int p0, int p1);
 native java.time.chrono.ThaiBuddhistDate dateYearDay(java.time.chrono.Era p0, int p1, int p2);
 native java.time.chrono.ThaiBuddhistDate resolveDate(java.util.Map<java.time.temporal.TemporalField, java.lang.Long> p0, java.time.format.ResolverStyle p1);
 native java.time.chrono.ThaiBuddhistEra eraOf(int p0);
 native java.time.temporal.ValueRange range(java.time.temporal.ChronoField p0);
 native java.util.List<java.time.chrono.Era> eras();
}
class ThaiBuddhistDate extends java.time.chrono.ChronoLocalDateImpl<java.time.chrono.ThaiBuddhistDate> implements java.time.chrono.ChronoLocalDate, java.io.Serializable {
 native boolean equals(java.lang.Object p0);
 native final java.time.chrono.ChronoLocalDateTime<java.time.chrono.ThaiBuddhistDate> atTime(java.time.LocalTime p0);
 native int hashCode();
 native int lengthOfMonth();
 native java.time.chrono.ChronoPeriod until(java.time.chrono.ChronoLocalDate p0);
 native java.time.chrono.ThaiBuddhistChronology getChronology();
 native java.time.chrono.ThaiBuddhistDate minus(java.time.temporal.TemporalAmount p0);
 native java.time.chrono.ThaiBuddhistDate minus(long p0, java.time.temporal.TemporalUnit p1);
 native java.time.chrono.ThaiBuddhistDate plus(java.time.temporal.TemporalAmount p0);
 native java.time.chrono.ThaiBuddhistDate plus(long p0, java.time.temporal.TemporalUnit p1);
 native java.time.chrono.ThaiBuddhistDate with(java.time.temporal.TemporalAdjuster p0);
 native java.time.chrono.ThaiBuddhistDate with(java.time.temporal.TemporalField p0, long p1);
 native java.time.chrono.ThaiBuddhistEra getEra();
 native java.time.temporal.ValueRange range(java.time.temporal.TemporalField p0);
 native long getLong(java.time.temporal.TemporalField p0);
 native long toEpochDay();
 static native java.time.chrono.ThaiBuddhistDate from(java.time.temporal.TemporalAccessor p0);
 static native java.time.chrono.ThaiBuddhistDate now();
 static native java.time.chrono.ThaiBuddhistDate now(java.time.Clock p0);
 static native java.time.chrono.ThaiBuddhistDate now(java.time.ZoneId p0);
 static native java.time.chrono.ThaiBuddhistDate of(int p0, int p1, int p2);
}
enum ThaiBuddhistEra implements java.time.chrono.Era {
 BEFORE_BE, BE;
 native int getValue();
 native java.lang.String getDisplayName(java.time.format.TextStyle p0, java.util.Locale p1);
 static native java.time.chrono.ThaiBuddhistEra of(int p0);
}
