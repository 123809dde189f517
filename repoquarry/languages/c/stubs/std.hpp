namespace std {
template <class T> class iterator_of { T operator->(); T operator*(); };
template <class A, class B> class pair { A first; B second; };
template <class T> class vector {
  typedef iterator_of<T> iterator; typedef iterator_of<T> const_iterator; typedef iterator_of<T> reverse_iterator; typedef T value_type;
  T front(); T back(); T at(int i); T data(); iterator_of<T> begin(); iterator_of<T> end(); iterator_of<T> rbegin(); iterator_of<T> rend();
  iterator_of<T> cbegin(); iterator_of<T> cend(); iterator_of<T> find(T value); iterator_of<T> insert(T value); iterator_of<T> erase(T value);
  T emplace_back(...); int size(); bool empty(); void push_back(T value); void pop_back(); void clear(); void resize(int n); void reserve(int n);
};
template <class T> class deque : public vector<T> { void push_front(T value); void pop_front(); };
template <class T> class list : public deque<T> {};
template <class T> class array : public vector<T> {};
template <class T> class queue : public vector<T> { T top(); void push(T value); void pop(); void emplace(...); };
template <class T> class priority_queue : public queue<T> {};
template <class T> class stack : public queue<T> {};
template <class T> class set : public vector<T> { iterator_of<T> lower_bound(T value); iterator_of<T> upper_bound(T value); int count(T value); };
template <class T> class multiset : public set<T> {};
template <class T> class unordered_set : public set<T> {};
template <class T> class initializer_list : public vector<T> {};
template <class K, class V> class map {
  typedef iterator_of<pair<K, V>> iterator; typedef iterator_of<pair<K, V>> const_iterator; typedef pair<K, V> value_type;
  iterator_of<pair<K, V>> begin(); iterator_of<pair<K, V>> end(); iterator_of<pair<K, V>> rbegin(); iterator_of<pair<K, V>> rend();
  iterator_of<pair<K, V>> find(K key); iterator_of<pair<K, V>> lower_bound(K key); iterator_of<pair<K, V>> upper_bound(K key);
  pair<iterator_of<pair<K, V>>, bool> insert(...); pair<iterator_of<pair<K, V>>, bool> emplace(...); V at(K key);
  iterator_of<pair<K, V>> erase(K key); int size(); bool empty(); void clear(); int count(K key);
};
template <class K, class V> class multimap : public map<K, V> {};
template <class K, class V> class unordered_map : public map<K, V> {};
template <class T> class unique_ptr { T operator->(); T operator*(); T get(); T release(); void reset(T value); };
template <class T> class shared_ptr : public unique_ptr<T> {};
template <class T> class weak_ptr { shared_ptr<T> lock(); };
template <class T> class optional : public unique_ptr<T> { T value(); };
template <class T> class atomic { T load(); T exchange(T value); void store(T value); };
}
