#!/usr/bin/env node
// The program of the npm package. Old versions of Node must be able to parse this file, so that they can say
// what is wrong instead of printing a syntax error.
import process from 'node:process'

var REQUIRED = [24, 7]

var version = process.versions.node.split('.').map(Number)
if (version[0] < REQUIRED[0] || (version[0] === REQUIRED[0] && version[1] < REQUIRED[1])) {
  process.stderr.write(
    'Tollgate needs Node ' + REQUIRED.join('.') + ' or newer; this is Node ' + process.versions.node + '.\n',
  )
  process.exit(1)
}

void import(new URL('../program/program.js', import.meta.url).href)
