import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { SERVERS } from './list.mjs'
import { ensurePrograms, findProgram } from './packages.mjs'
import { findVariant } from './start.mjs'

let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-programs-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function addProgram(path, mode = 0o755) {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), '#!/bin/sh\n')
  chmodSync(join(folder, path), mode)
}

const places = () => ({
  path: `${folder}/first:${folder}/second`,
  folders: [`${folder}/sbin`],
  versions: `${folder}/postgresql`,
})
const find = (name) => findProgram(name, places())

it('a program is found on the PATH, and beside it where packages put it', () => {
  addProgram('second/redis-server')
  addProgram('sbin/mariadbd')
  expect(find('redis-server')).toBe(`${folder}/second/redis-server`)
  expect(find('mariadbd')).toBe(`${folder}/sbin/mariadbd`)
  expect(find('nats-server')).toBeUndefined()
})

it('the newest PostgreSQL is found, also from version 9 to 10', () => {
  addProgram('postgresql/9.6/bin/postgres')
  addProgram('postgresql/17/bin/postgres')
  addProgram('postgresql/15/bin/postgres')
  expect(find('postgres')).toBe(`${folder}/postgresql/17/bin/postgres`)
})

it('a file that cannot be run is no program', () => {
  addProgram('first/redis-server', 0o644)
  expect(find('redis-server')).toBeUndefined()
})

it('without a PATH only the folders of packages are searched', () => {
  addProgram('first/nowhere-else')
  expect(findProgram('nowhere-else', { ...places(), path: undefined })).toBeUndefined()
})

const linux = it.skipIf(process.platform !== 'linux')

linux('MySQL is started where MariaDB is not there', () => {
  addProgram('sbin/mysqld')
  expect(findVariant('mysql', find)?.paths).toEqual({ mysqld: `${folder}/sbin/mysqld` })
  addProgram('sbin/mariadbd')
  addProgram('first/mariadb-install-db')
  addProgram('second/my_print_defaults')
  expect(findVariant('mysql', find)?.paths).toEqual({
    mariadbd: `${folder}/sbin/mariadbd`,
    'mariadb-install-db': `${folder}/first/mariadb-install-db`,
    my_print_defaults: `${folder}/second/my_print_defaults`,
  })
})

linux('Valkey is started where Redis is not there', () => {
  addProgram('first/valkey-server')
  expect(Object.keys(findVariant('redis', find)?.paths ?? {})).toEqual(['valkey-server'])
})

linux('a server is not there while one of its programs is missing', () => {
  addProgram('postgresql/15/bin/postgres')
  expect(findVariant('postgres', find)).toBeUndefined()
  addProgram('postgresql/15/bin/initdb')
  expect(findVariant('postgres', find)).toBeDefined()
})

it('nothing is installed when every program is there', async () => {
  addProgram('first/nginx')
  expect(await ensurePrograms({ nginx: 'there-is-no-such-package' }, find)).toEqual([])
})

it('each server has a package, an address on this machine, and a line that says when it is ready', () => {
  for (const [name, row] of Object.entries(SERVERS)) {
    expect(row.packages.length, name).toBeGreaterThan(0)
    expect(new URL(row.url(4000)).host, name).toBe('127.0.0.1:4000')
    expect('variable' in row, name).toBe('usual' in row)
    expect(row.ready.test(`${name} begins`), name).toBe(false)
  }
})
