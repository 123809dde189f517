package org.example.users

import java.util.UUID
import kotlin.collections.*
import org.example.Base as B

/** A user. */
@Entity
data class User(val name: String, var age: Int = 0) : B(name), Named { //= class/data class User

    constructor(age: Int) : this("", age) //= method/constructor User.constructor

    companion object { //= class/object User.Companion
        fun of(name: String): User = User(name) //= method User.Companion.of
    }

    /** Says hello. */
    @Test
    override suspend fun greet(to: String): String? { //= method User.greet
        if (to.isEmpty()) { print(to) }
        fun local(n: Int) = n //= function User.greet.local
        return null
    }

    inner class Part //= class User.Part
}

interface Named { //= class/interface Named
    fun greet(to: String): String? //= method Named.greet
}

enum class Colour { RED, GREEN } //= class/enum Colour

object Registry { //= class/object Registry
    fun add(user: User) {} //= method Registry.add
}

fun <T> List<T>.second(): T = this[1] //= function second

fun main(args: Array<String>) { //= function main
    println(args.size)
}
