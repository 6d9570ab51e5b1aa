//! Java `.properties` and Hadoop configuration XML, read with places.
