package dev.penstock.advice;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Marks immutable classes whose methods return changed copies: to drop what they return is a
/// mistake. Error Prone's check of this name finds it, whatever package the annotation is in.
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface CheckReturnValue {}
