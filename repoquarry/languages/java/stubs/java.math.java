package java.math;
class BigDecimal extends java.lang.Number implements java.lang.Comparable<java.math.BigDecimal> {
 static int ROUND_CEILING;
 static int ROUND_DOWN;
 static int ROUND_FLOOR;
 static int ROUND_HALF_DOWN;
 static int ROUND_HALF_EVEN;
 static int ROUND_HALF_UP;
 static int ROUND_UNNECESSARY;
 static int ROUND_UP;
 static java.math.BigDecimal ONE;
 static java.math.BigDecimal TEN;
 static java.math.BigDecimal ZERO;
 BigDecimal(char[] p0) {}
 BigDecimal(char[] p0, int p1, int p2) {}
 BigDecimal(char[] p0, int p1, int p2, java.math.MathContext p3) {}
 BigDecimal(char[] p0, java.math.MathContext p1) {}
 BigDecimal(double p0) {}
 BigDecimal(double p0, java.math.MathContext p1) {}
 BigDecimal(int p0) {}
 BigDecimal(int p0, java.math.MathContext p1) {}
 BigDecimal(java.lang.String p0) {}
 BigDecimal(java.lang.String p0, java.math.MathContext p1) {}
 BigDecimal(java.math.BigInteger p0) {}
 BigDecimal(java.math.BigInteger p0, int p1) {}
 BigDecimal(java.math.BigInteger p0, int p1, java.math.MathContext p2) {}
 BigDecimal(java.math.BigInteger p0, java.math.MathContext p1) {}
 BigDecimal(long p0) {}
 BigDecimal(long p0, java.math.MathContext p1) {}
 native boolean equals(java.lang.Object p0);
 native byte byteValueExact();
 native double doubleValue();
 native float floatValue();
 native int compareTo(java.math.BigDecimal p0);
 native int hashCode();
 native int intValue();
 native int intValueExact();
 native int precision();
 native int scale();
 native int signum();
 native java.lang.String toEngineeringString();
 native java.lang.String toPlainString();
 native java.lang.String toString();
 native java.math.BigDecimal abs();
 native java.math.BigDecimal abs(java.math.MathContext p0);
 native java.math.BigDecimal add(java.math.BigDecimal p0);
 native java.math.BigDecimal add(java.math.BigDecimal p0, java.math.MathContext p1);
 native java.math.BigDecimal divide(java.math.BigDecimal p0);
 native java.math.BigDecimal divide(java.math.BigDecimal p0, int p1);
 native java.math.BigDecimal divide(java.math.BigDecimal p0, int p1, int p2);
 native java.math.BigDecimal divide(java.math.BigDecimal p0, int p1, java.math.RoundingMode p2);
 native java.math.BigDecimal divide(java.math.BigDecimal p0, java.math.MathContext p1);
 native java.math.BigDecimal divide(java.math.BigDecimal p0, java.math.RoundingMode p1);
 native java.math.BigDecimal divideToIntegralValue(java.math.BigDecimal p0);
 native java.math.BigDecimal divideToIntegralValue(java.math.BigDecimal p0, java.math.MathContext p1);
 native java.math.BigDecimal max(java.math.BigDecimal p0);
 native java.math.BigDecimal min(java.math.BigDecimal p0);
 native java.math.BigDecimal movePointLeft(int p0);
 native java.math.BigDecimal movePointRight(int p0);
 native java.math.BigDecimal multiply(java.math.BigDecimal p0);
 native java.math.BigDecimal multiply(java.math.BigDecimal p0, java.math.MathContext p1);
 native java.math.BigDecimal negate();
 native java.math.BigDecimal negate(java.math.MathContext p0);
 native java.math.BigDecimal plus();
 native java.math.BigDecimal plus(java.math.MathContext p0);
 native java.math.BigDecimal pow(int p0);
 native java.math.BigDecimal pow(int p0, java.math.MathContext p1);
 native java.math.BigDecimal remainder(java.math.BigDecimal p0);
 native java.math.BigDecimal remainder(java.math.BigDecimal p0, java.math.MathContext p1);
 native java.math.BigDecimal round(java.math.MathContext p0);
 native java.math.BigDecimal scaleByPowerOfTen(int p0);
 native java.math.BigDecimal setScale(int p0);
 native java.math.BigDecimal setScale(int p0, int p1);
 native java.math.BigDecimal setScale(int p0, java.math.RoundingMode p1);
 native java.math.BigDecimal sqrt(java.math.MathContext p0);
 native java.math.BigDecimal stripTrailingZeros();
 native java.math.BigDecimal subtract(java.math.BigDecimal p0);
 native java.math.BigDecimal subtract(java.math.BigDecimal p0, java.math.MathContext p1);
 native java.math.BigDecimal ulp();
 native java.math.BigDecimal[] divideAndRemainder(java.math.BigDecimal p0);
 native java.math.BigDecimal[] divideAndRemainder(java.math.BigDecimal p0, java.math.MathContext p1);
 native java.math.BigInteger toBigInteger();
 native java.math.BigInteger toBigIntegerExact();
 native java.math.BigInteger unscaledValue();
 native long longValue();
 native long longValueExact();
 native short shortValueExact();
 static native java.math.BigDecimal valueOf(double p0);
 static native java.math.BigDecimal valueOf(long p0);
 static native java.math.BigDecimal valueOf(long p0, int p1);
}
class BigInteger extends java.lang.Number implements java.lang.Comparable<java.math.BigInteger> {
 static java.math.BigInteger ONE;
 static java.math.BigInteger TEN;
 static java.math.BigInteger TWO;
 static java.math.BigInteger ZERO;
 BigInteger(byte[] p0) {}
 BigInteger(byte[] p0, int p1, int p2) {}
 BigInteger(int p0, byte[] p1) {}
 BigInteger(int p0, byte[] p1, int p2, int p3) {}
 BigInteger(int p0, int p1, java.util.Random p2) {}
 BigInteger(int p0, java.util.Random p1) {}
 BigInteger(java.lang.String p0) {}
 BigInteger(java.lang.String p0, int p1) {}
 native boolean equals(java.lang.Object p0);
 native boolean isProbablePrime(int p0);
 native boolean testBit(int p0);
 native byte byteValueExact();
 native byte[] toByteArray();
 native double doubleValue();
 native float floatValue();
 native int bitCount();
 native int bitLength();
 native int compareTo(java.math.BigInteger p0);
 native int getLowestSetBit();
 native int hashCode();
 native int intValue();
 native int intValueExact();
 native int signum();
 native java.lang.String toString();
 native java.lang.String toString(int p0);
 native java.math.BigInteger abs();
 native java.math.BigInteger add(java.math.BigInteger p0);
 native java.math.BigInteger and(java.math.BigInteger p0);
 native java.math.BigInteger andNot(java.math.BigInteger p0);
 native java.math.BigInteger clearBit(int p0);
 native java.math.BigInteger divide(java.math.BigInteger p0);
 native java.math.BigInteger flipBit(int p0);
 native java.math.BigInteger gcd(java.math.BigInteger p0);
 native java.math.BigInteger max(java.math.BigInteger p0);
 native java.math.BigInteger min(java.math.BigInteger p0);
 native java.math.BigInteger mod(java.math.BigInteger p0);
 native java.math.BigInteger modInverse(java.math.BigInteger p0);
 native java.math.BigInteger modPow(java.math.BigInteger p0, java.math.BigInteger p1);
 native java.math.BigInteger multiply(java.math.BigInteger p0);
 native java.math.BigInteger negate();
 native java.math.BigInteger nextProbablePrime();
 native java.math.BigInteger not();
 native java.math.BigInteger or(java.math.BigInteger p0);
 native java.math.BigInteger pow(int p0);
 native java.math.BigInteger remainder(java.math.BigInteger p0);
 native java.math.BigInteger setBit(int p0);
 native java.math.BigInteger shiftLeft(int p0);
 native java.math.BigInteger shiftRight(int p0);
 native java.math.BigInteger sqrt();
 native java.math.BigInteger subtract(java.math.BigInteger p0);
 native java.math.BigInteger xor(java.math.BigInteger p0);
 native java.math.BigInteger[] divideAndRemainder(java.math.BigInteger p0);
 native java.math.BigInteger[] sqrtAndRemainder();
 native long longValue();
 native long longValueExact();
 native short shortValueExact();
 static native java.math.BigInteger probablePrime(int p0, java.util.Random p1);
 static native java.math.BigInteger valueOf(long p0);
}
class MathContext implements java.io.Serializable {
 static java.math.MathContext DECIMAL128;
 static java.math.MathContext DECIMAL32;
 static java.math.MathContext DECIMAL64;
 static java.math.MathContext UNLIMITED;
 MathContext(int p0) {}
 MathContext(int p0, java.math.RoundingMode p1) {}
 MathContext(java.lang.String p0) {}
 native boolean equals(java.lang.Object p0);
 native int getPrecision();
 native int hashCode();
 native java.lang.String toString();
 native java.math.RoundingMode getRoundingMode();
}
enum RoundingMode {
 UP, DOWN, CEILING, FLOOR, HALF_UP, HALF_DOWN, HALF_EVEN, UNNECESSARY;
}
