// RUN: hgc-opt "--hgc-bind-dims=dims=batch=three" --verify-diagnostics %s

// An extent is a number.
// expected-error @+2 {{cannot read 'batch=three' as extents of a dim}}
// expected-note @+1 {{hint: write name=1,32}}
module {
}
