import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as diskRoom from '@tollgate/kit/disk-room'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { StoreError } from '../database/errors.ts'
import { toStoreError } from './connection.ts'
import { SpareRoom, recognizeFullDisk } from './spare-room.ts'
import { watchWriter } from './watched-writer.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-spare-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

it('spare room is kept beside the database, given up once and kept again', () => {
  const spare = new SpareRoom(join(folder, 'a.db'), 1024 * 1024)
  expect(spare.isKept).toBe(false)
  expect(spare.keep()).toBe(true)
  expect(readdirSync(folder).toSorted()).toEqual(['a.db-spare', 'a.db-start'])
  spare.release()
  expect(spare.isKept).toBe(false)
  expect(spare.keep()).toBe(true)
  spare.makeWay()
  expect(spare.isKept).toBe(true)
})

it('room that does not fit leaves nothing behind', () => {
  const free = diskRoom.readDiskSpace(folder)?.freeBytes ?? 0
  expect(diskRoom.writeSpare(join(folder, 'large'), free + 2 ** 40)).toBe(false)
  expect(readdirSync(folder)).toEqual([])
})

it.each(['ENOSPC', 'EDQUOT'])('%s is a full disk', (code) => {
  expect(diskRoom.isNoRoom(Object.assign(new Error('x'), { code }))).toBe(true)
})

it.each(['EIO', 'EROFS', 'EFBIG'])('%s is no full disk', (code) => {
  expect(diskRoom.isNoRoom(Object.assign(new Error('x'), { code }))).toBe(false)
})

const failure = (errcode: number) => toStoreError(Object.assign(new Error('x'), { errcode }))

it('SQLITE_FULL is a state that passes, and other errors of the disk are not', () => {
  expect(failure(13)).toMatchObject({ kind: 'full' })
  for (const code of [10, 11, 26, 778]) expect(failure(code)).toMatchObject({ kind: 'fatal' })
})

it('a failed write is fatal where the disk has room', () => {
  writeFileSync(join(folder, 'a.db'), '')
  const error = new StoreError('fatal', 'disk I/O error', { code: 778 })
  expect(recognizeFullDisk(error, join(folder, 'a.db'))).toBe(error)
})

it('a write without room is reported each time, and never as the end of the database', async () => {
  let full = 0
  let fatal = 0
  const host = {
    pending: 0,
    send: async () => {
      throw new StoreError('full', 'database or disk is full', { code: 13 })
    },
  }
  const writer = watchWriter(host, { onFull: () => full++, onFatal: () => fatal++ })
  for (let request = 0; request < 3; request++)
    await expect(writer.send({ type: 'query', sql: '', parameters: [] })).rejects.toThrow('full')
  expect([full, fatal, writer.isWritable]).toEqual([3, 0, true])
})
