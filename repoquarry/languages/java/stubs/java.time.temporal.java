package java.time.temporal;
enum ChronoField implements java.time.temporal.TemporalField {
 NANO_OF_SECOND, NANO_OF_DAY, MICRO_OF_SECOND, MICRO_OF_DAY, MILLI_OF_SECOND, MILLI_OF_DAY, SECOND_OF_MINUTE, SECOND_OF_DAY, MINUTE_OF_HOUR, MINUTE_OF_DAY, HOUR_OF_AMPM, CLOCK_HOUR_OF_AMPM, HOUR_OF_DAY, CLOCK_HOUR_OF_DAY, AMPM_OF_DAY, DAY_OF_WEEK, ALIGNED_DAY_OF_WEEK_IN_MONTH, ALIGNED_DAY_OF_WEEK_IN_YEAR, DAY_OF_MONTH, DAY_OF_YEAR, EPOCH_DAY, ALIGNED_WEEK_OF_MONTH, ALIGNED_WEEK_OF_YEAR, MONTH_OF_YEAR, PROLEPTIC_MONTH, YEAR_OF_ERA, YEAR, ERA, INSTANT_SECONDS, OFFSET_SECONDS;
 native boolean isDateBased();
 native boolean isSupportedBy(java.time.temporal.TemporalAccessor p0);
 native boolean isTimeBased();
 native int checkValidIntValue(long p0);
 native java.lang.String getDisplayName(java.util.Locale p0);
 native java.lang.String toString();
 native <R extends java.time.temporal.Temporal> R adjustInto(R p0, long p1);
 native java.time.temporal.TemporalUnit getBaseUnit();
 native java.time.temporal.TemporalUnit getRangeUnit();
 native java.time.temporal.ValueRange range();
 native java.time.temporal.ValueRange rangeRefinedBy(java.time.temporal.TemporalAccessor p0);
 native long checkValidValue(long p0);
 native long getFrom(java.time.temporal.TemporalAccessor p0);
}
enum ChronoUnit implements java.time.temporal.TemporalUnit {
 NANOS, MICROS, MILLIS, SECONDS, MINUTES, HOURS, HALF_DAYS, DAYS, WEEKS, MONTHS, YEARS, DECADES, CENTURIES, MILLENNIA, ERAS, FOREVER;
 native boolean isDateBased();
 native boolean isDurationEstimated();
 native boolean isSupportedBy(java.time.temporal.Temporal p0);
 native boolean isTimeBased();
 native java.lang.String toString();
 native java.time.Duration getDuration();
 native <R extends java.time.temporal.Temporal> R addTo(R p0, long p1);
 native long between(java.time.temporal.Temporal p0, java.time.temporal.Temporal p1);
}
class IsoFields {
 static java.time.temporal.TemporalField DAY_OF_QUARTER;
 static java.time.temporal.TemporalField QUARTER_OF_YEAR;
 static java.time.temporal.TemporalField WEEK_BASED_YEAR;
 static java.time.temporal.TemporalField WEEK_OF_WEEK_BASED_YEAR;
 static java.time.temporal.TemporalUnit QUARTER_YEARS;
 static java.time.temporal.TemporalUnit WEEK_BASED_YEARS;
}
class JulianFields {
 static java.time.temporal.TemporalField JULIAN_DAY;
 static java.time.temporal.TemporalField MODIFIED_JULIAN_DAY;
 static java.time.temporal.TemporalField RATA_DIE;
}
interface Temporal extends java.time.temporal.TemporalAccessor {
 boolean isSupported(java.time.temporal.TemporalUnit p0);
 java.time.temporal.Temporal plus(long p0, java.time.temporal.TemporalUnit p1);
 java.time.temporal.Temporal with(java.time.temporal.TemporalField p0, long p1);
 long until(java.time.temporal.Temporal p0, java.time.temporal.TemporalUnit p1);
 default java.time.temporal.Temporal minus(java.time.temporal.TemporalAmount p0) {}
 default java.time.temporal.Temporal minus(long p0, java.time.temporal.TemporalUnit p1) {}
 default java.time.temporal.Temporal plus(java.time.temporal.TemporalAmount p0) {}
 default java.time.temporal.Temporal with(java.time.temporal.TemporalAdjuster p0) {}
}
interface TemporalAccessor {
 boolean isSupported(java.time.temporal.TemporalField p0);
 long getLong(java.time.temporal.TemporalField p0);
 default int get(java.time.temporal.TemporalField p0) {}
 default <R> R query(java.time.temporal.TemporalQuery<R> p0) {}
 default java.time.temporal.ValueRange range(java.time.temporal.TemporalField p0) {}
}
interface TemporalAdjuster {
 java.time.temporal.Temporal adjustInto(java.time.temporal.Temporal p0);
}
class TemporalAdjusters {
 static native java.time.temporal.TemporalAdjuster dayOfWeekInMonth(int p0, java.time.DayOfWeek p1);
 static native java.time.temporal.TemporalAdjuster firstDayOfMonth();
 static native java.time.temporal.TemporalAdjuster firstDayOfNextMonth();
 static native java.time.temporal.TemporalAdjuster firstDayOfNextYear();
 static native java.time.temporal.TemporalAdjuster firstDayOfYear();
 static native java.time.temporal.TemporalAdjuster firstInMonth(java.time.DayOfWeek p0);
 static native java.time.temporal.TemporalAdjuster lastDayOfMonth();
 static native java.time.temporal.TemporalAdjuster lastDayOfYear();
 static native java.time.temporal.TemporalAdjuster lastInMonth(java.time.DayOfWeek p0);
 static native java.time.temporal.TemporalAdjuster next(java.time.DayOfWeek p0);
 static native java.time.temporal.TemporalAdjuster nextOrSame(java.time.DayOfWeek p0);
 static native java.time.temporal.TemporalAdjuster ofDateAdjuster(java.util.function.UnaryOperator<java.time.LocalDate> p0);
 static native java.time.temporal.TemporalAdjuster previous(java.time.DayOfWeek p0);
 static native java.time.temporal.TemporalAdjuster previousOrSame(java.time.DayOfWeek p0);
}
interface TemporalAmount {
 java.time.temporal.Temporal addTo(java.time.temporal.Temporal p0);
 java.time.temporal.Temporal subtractFrom(java.time.temporal.Temporal p0);
 java.util.List<java.time.temporal.TemporalUnit> getUnits();
 long get(java.time.temporal.TemporalUnit p0);
}
interface TemporalField {
 boolean isDateBased();
 boolean isSupportedBy(java.time.temporal.TemporalAccessor p0);
 boolean isTimeBased();
 java.lang.String toString();
 <R extends java.time.temporal.Temporal> R adjustInto(R p0, long p1);
 java.time.temporal.TemporalUnit getBaseUnit();
 java.time.temporal.TemporalUnit getRangeUnit();
 java.time.temporal.ValueRange range();
 java.time.temporal.ValueRange rangeRefinedBy(java.time.temporal.TemporalAccessor p0);
 long getFrom(java.time.temporal.TemporalAccessor p0);
 default java.lang.String getDisplayName(java.util.Locale p0) {}
 default java.time.temporal.TemporalAccessor resolve(java.util.Map<java.time.temporal.TemporalField, java.lang.Long> p0, java.time.temporal.TemporalAccessor p1, java.time.format.ResolverStyle p2) {}
}
class TemporalQueries {
 static native java.time.temporal.TemporalQuery<java.time.chrono.Chronology> chronology();
 static native java.time.temporal.TemporalQuery<java.time.LocalDate> localDate();
 static native java.time.temporal.TemporalQuery<java.time.LocalTime> localTime();
 static native java.time.temporal.TemporalQuery<java.time.ZoneOffset> offset();
 static native java.time.temporal.TemporalQuery<java.time.temporal.TemporalUnit> precision();
 static native java.time.temporal.TemporalQuery<java.time.ZoneId> zone();
 static native java.time.temporal.TemporalQuery<java.time.ZoneId> zoneId();
}
interface TemporalQuery<R>  {
 R queryFrom(java.time.temporal.TemporalAccessor p0);
}
interface TemporalUnit {
 boolean isDateBased();
 boolean isDurationEstimated();
 boolean isTimeBased();
 java.lang.String toString();
 java.time.Duration getDuration();
 <R extends java.time.temporal.Temporal> R addTo(R p0, long p1);
 long between(java.time.temporal.Temporal p0, java.time.temporal.Temporal p1);
 default boolean isSupportedBy(java.time.temporal.Temporal p0) {}
}
class UnsupportedTemporalTypeException extends java.time.DateTimeException {
 UnsupportedTemporalTypeException(java.lang.String p0) {}
 UnsupportedTemporalTypeException(java.lang.String p0, java.lang.Throwable p1) {}
}
class ValueRange implements java.io.Serializable {
 native boolean equals(java.lang.Object p0);
 native boolean isFixed();
 native boolean isIntValue();
 native boolean isValidIntValue(long p0);
 native boolean isValidValue(long p0);
 native int checkValidIntValue(long p0, java.time.temporal.TemporalField p1);
 native int hashCode();
 native java.lang.String toString();
 native long checkValidValue(long p0, java.time.temporal.TemporalField p1);
 native long getLargestMinimum();
 native long getMaximum();
 native long getMinimum();
 native long getSmallestMaximum();
 static native java.time.temporal.ValueRange of(long p0, long p1);
 static native java.time.temporal.ValueRange of(long p0, long p1, long p2);
 static native java.time.temporal.ValueRange of(long p0, long p1, long p2, long p3);
}
class WeekFields implements java.io.Serializable {
 static java.time.temporal.TemporalUnit WEEK_BASED_YEARS;
 static java.time.temporal.WeekFields ISO;
 static java.time.temporal.WeekFields SUNDAY_START;
 native boolean equals(java.lang.Object p0);
 native int getMinimalDaysInFirstWeek();
 native int hashCode();
 native java.lang.String toString();
 native java.time.DayOfWeek getFirstDayOfWeek();
 native java.time.temporal.TemporalField dayOfWeek();
 native java.time.temporal.TemporalField weekBasedYear();
 native java.time.temporal.TemporalField weekOfMonth();
 native java.time.temporal.TemporalField weekOfWeekBasedYear();
 native java.time.temporal.TemporalField weekOfYear();
 static native java.time.temporal.WeekFields of(java.time.DayOfWeek p0, int p1);
 static native java.time.temporal.WeekFields of(java.util.Locale p0);
}
