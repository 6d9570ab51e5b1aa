//! XML schemas of every namespace, embedded in the binary, and validation against them.
