/// A format and a store of somebody else, see [org.example.OddFormat].
package org.example;
