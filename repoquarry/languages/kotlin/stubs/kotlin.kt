package kotlin

class Any
class Unit
class Int
class Long
class Double
class Float
class Boolean
class Char
class Byte
class Short
class String
interface Iterable<T> {
    fun <R> map(f: (T) -> R): List<R>
    fun <R> mapNotNull(f: (T) -> R): List<R>
    fun <R> mapIndexed(f: (Int, T) -> R): List<R>
    fun <R> flatMap(f: (T) -> Iterable<R>): List<R>
    fun filter(f: (T) -> Boolean): List<T>
    fun filterNot(f: (T) -> Boolean): List<T>
    fun filterNotNull(): List<T>
    fun forEach(f: (T) -> Unit)
    fun forEachIndexed(f: (Int, T) -> Unit)
    fun onEach(f: (T) -> Unit): List<T>
    fun first(f: (T) -> Boolean = x): T
    fun firstOrNull(f: (T) -> Boolean = x): T
    fun last(f: (T) -> Boolean = x): T
    fun lastOrNull(f: (T) -> Boolean = x): T
    fun single(f: (T) -> Boolean = x): T
    fun singleOrNull(f: (T) -> Boolean = x): T
    fun find(f: (T) -> Boolean): T
    fun any(f: (T) -> Boolean = x): Boolean
    fun all(f: (T) -> Boolean): Boolean
    fun none(f: (T) -> Boolean = x): Boolean
    fun count(f: (T) -> Boolean = x): Int
    fun <K> sortedBy(f: (T) -> K): List<T>
    fun <K> sortedByDescending(f: (T) -> K): List<T>
    fun <K> groupBy(f: (T) -> K): Map<K, List<T>>
    fun <K> associateBy(f: (T) -> K): Map<K, T>
    fun <V> associateWith(f: (T) -> V): Map<T, V>
    fun <K> maxByOrNull(f: (T) -> K): T
    fun <K> minByOrNull(f: (T) -> K): T
    fun <K> maxBy(f: (T) -> K): T
    fun <K> minBy(f: (T) -> K): T
    fun <K> maxOf(f: (T) -> K): K
    fun <K> sumOf(f: (T) -> K): K
    fun <K> distinctBy(f: (T) -> K): List<T>
    fun <A> fold(a: A, f: (A, T) -> A): A
    fun partition(f: (T) -> Boolean): Pair<List<T>, List<T>>
    fun <U> zip(o: Iterable<U>): List<Pair<T, U>>
    fun joinToString(s: String = x, f: (T) -> String = x): String
    fun takeWhile(f: (T) -> Boolean): List<T>
    fun dropWhile(f: (T) -> Boolean): List<T>
    fun take(n: Int): List<T>
    fun drop(n: Int): List<T>
    fun reversed(): List<T>
    fun distinct(): List<T>
    fun toList(): List<T>
    fun toMutableList(): List<T>
    fun toSet(): List<T>
    fun asSequence(): List<T>
    fun withIndex(): List<IndexedValue<T>>
    fun collect(f: (T) -> Unit)
}
open class List<T> : Iterable<T> {
    fun get(i: Int): T
    fun getOrNull(i: Int): T
    fun removeAt(i: Int): T
    fun removeFirst(): T
    fun removeLast(): T
    fun add(x: T): Boolean
    fun isEmpty(): Boolean
    fun contains(x: T): Boolean
    fun indexOf(x: T): Int
    fun subList(a: Int, b: Int): List<T>
    val size: Int
}
typealias MutableList<T> = List<T>
typealias ArrayList<T> = List<T>
typealias Collection<T> = List<T>
typealias MutableCollection<T> = List<T>
typealias Set<T> = List<T>
typealias MutableSet<T> = List<T>
typealias HashSet<T> = List<T>
typealias LinkedHashSet<T> = List<T>
typealias ArrayDeque<T> = List<T>
typealias Sequence<T> = List<T>
typealias Array<T> = List<T>
typealias Flow<T> = List<T>
data class Pair<A, B>(val first: A, val second: B)
data class Triple<A, B, C>(val first: A, val second: B, val third: C)
data class IndexedValue<T>(val index: Int, val value: T)
data class Entry<K, V>(val key: K, val value: V)
open class Map<K, V> : Iterable<Entry<K, V>> {
    fun get(k: K): V
    fun getValue(k: K): V
    fun getOrPut(k: K, f: () -> V): V
    fun getOrElse(k: K, f: () -> V): V
    fun getOrDefault(k: K, v: V): V
    fun computeIfAbsent(k: K, f: (K) -> V): V
    fun put(k: K, v: V): V
    fun remove(k: K): V
    fun containsKey(k: K): Boolean
    fun <R> mapValues(f: (Entry<K, V>) -> R): Map<K, R>
    fun <R> mapKeys(f: (Entry<K, V>) -> R): Map<R, V>
    val keys: List<K>
    val values: List<V>
    val entries: List<Entry<K, V>>
    val size: Int
}
typealias MutableMap<K, V> = Map<K, V>
typealias HashMap<K, V> = Map<K, V>
typealias LinkedHashMap<K, V> = Map<K, V>
typealias ConcurrentHashMap<K, V> = Map<K, V>
class Lazy<T>(val value: T)
class Deferred<T> {
    fun await(): T
}
class CoroutineScope
class Result<T> {
    fun getOrNull(): T
    fun getOrThrow(): T
    fun getOrElse(f: (Any) -> T): T
    fun onSuccess(f: (T) -> Unit): Result<T>
    fun onFailure(f: (Any) -> Unit): Result<T>
}
class StateFlow<T>(val value: T)
fun <T> listOf(vararg x: T): List<T>
fun <T> listOfNotNull(vararg x: T): List<T>
fun <T> mutableListOf(vararg x: T): List<T>
fun <T> arrayListOf(vararg x: T): List<T>
fun <T> arrayOf(vararg x: T): List<T>
fun <T> setOf(vararg x: T): List<T>
fun <T> mutableSetOf(vararg x: T): List<T>
fun <T> sequenceOf(vararg x: T): List<T>
fun <T> emptyList(): List<T>
fun <K, V> mapOf(vararg x: Pair<K, V>): Map<K, V>
fun <K, V> mutableMapOf(vararg x: Pair<K, V>): Map<K, V>
fun <T> lazy(f: () -> T): Lazy<T>
fun <T> run(f: () -> T): T
fun <T> runCatching(f: () -> T): Result<T>
fun <T, R> with(x: T, f: T.() -> R): R
fun <T> runBlocking(f: CoroutineScope.() -> T): T
fun <T> coroutineScope(f: CoroutineScope.() -> T): T
fun <T> withContext(c: Any, f: CoroutineScope.() -> T): T
fun <T> requireNotNull(x: T): T
fun <T> checkNotNull(x: T): T
fun <T> maxOf(a: T, b: T): T
fun <T> minOf(a: T, b: T): T
fun <T, R> T.let(f: (T) -> R): R
fun <T> T.also(f: (T) -> Unit): T
fun <T> T.apply(f: T.() -> Unit): T
fun <T, R> T.run(f: T.() -> R): R
fun <T, R> T.use(f: (T) -> R): R
fun <T> T.takeIf(f: (T) -> Boolean): T
fun <T> T.takeUnless(f: (T) -> Boolean): T
fun <A, B> A.to(b: B): Pair<A, B>
fun <T> CoroutineScope.async(f: CoroutineScope.() -> T): Deferred<T>
fun CoroutineScope.launch(f: CoroutineScope.() -> Unit): Any
