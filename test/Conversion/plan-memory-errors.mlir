// RUN: hgc-opt --hgc-plan-memory=arena=shared --verify-diagnostics %s

// expected-error @+2 {{unknown arena 'shared', expected 'packed' or 'separate'}}
// expected-note @+1 {{hint: use arena=packed, or arena=separate to find wrong accesses}}
module {
}
