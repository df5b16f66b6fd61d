// RUN: hgc-opt "--hgc-bind-dims=dims=batch=0" --verify-diagnostics %s

// Extents are positive.
// expected-error @+2 {{dim 'batch' has extent 0, expected a positive number}}
// expected-note @+1 {{hint: give it an extent of at least 1}}
module {
}
