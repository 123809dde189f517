//! A cache of things.

use std::{collections::HashMap, io::{self, Read as R}};
use crate::store::*;
mod disk;

/// An entry.
#[derive(Debug, Clone)]
#[serde(default)]
pub struct Entry<T> { //= class/struct Entry
    value: T,
}

impl<T: Clone> Entry<T> {
    /// Makes one.
    pub fn new(value: T) -> Self { //= method Entry.new
        Entry { value }
    }
    pub async fn load(&self, from: &str) -> io::Result<T> { //= method Entry.load
        match from { "" => todo!(), _ => self.read(from) }
    }
}

impl<T> std::fmt::Display for Entry<T> {
    fn fmt(&self, f: &mut Formatter) -> Result { Ok(()) } //= method Entry.fmt
}

impl Elsewhere {
    fn far(&self) {} //= method Elsewhere.far
}

pub trait Store: Send + Sync { //= class/trait Store
    fn get(&self, key: &str) -> Option<u8>; //= method Store.get
    fn has(&self, key: &str) -> bool { self.get(key).is_some() } //= method Store.has
}

enum Kind { Small, Big(i32) } //= class/enum Kind
union Bits { a: u32, b: f32 } //= class/union Bits
struct Unit; //= class/struct Unit

macro_rules! twice { ($x:expr) => { $x; $x } } //= function/macro twice

pub mod inner { //= class/module inner
    pub struct Deep; //= class/struct inner.Deep
    impl Deep {
        fn go(&self) {} //= method inner.Deep.go
    }
    pub fn free() { //= function inner.free
        fn nested() {} //= function inner.free.nested
    }
}

fn main() { if true { inner::free(); } } //= function main

#[cfg(test)]
mod tests { //= class/module tests
    #[test]
    fn works() {} //= function tests.works
}
