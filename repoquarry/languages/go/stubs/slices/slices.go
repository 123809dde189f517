package slices

import "iter"

func All[E any](s []E) iter.Seq2[int, E]
func Backward[E any](s []E) iter.Seq2[int, E]
func Clone[E any](s []E) []E
func Collect[E any](seq iter.Seq[E]) []E
func Compact[E any](s []E) []E
func Concat[E any](slices ...[]E) []E
func DeleteFunc[E any](s []E, del func(E) bool) []E
func ContainsFunc[E any](s []E, f func(E) bool) bool
func IndexFunc[E any](s []E, f func(E) bool) int
func Insert[E any](s []E, i int, v ...E) []E
func MaxFunc[E any](x []E, cmp func(a, b E) int) E
func MinFunc[E any](x []E, cmp func(a, b E) int) E
func Sorted[E any](seq iter.Seq[E]) []E
func SortedFunc[E any](seq iter.Seq[E], cmp func(E, E) int) []E
func SortFunc[E any](x []E, cmp func(a, b E) int)
func Values[E any](s []E) iter.Seq[E]
