import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FaultyFs, openWriter, openedLine, settledLine, temporaryFolder } from './journal.fixture.ts'
import { readJournal } from './read-journal.ts'
import { RESERVE_BYTES_PER_CALL, JournalReserve } from './reserve.ts'

const FILE_BYTES = 64 * 1024
const OWNERS = { own: { pid: 7, began: '1' }, isAnotherAlive: ({ pid }: { pid: number }) => pid === 8 }

/** A reserve in the folder that a writer uses, whose file operations fail from then on. */
function openWithReserve(code: string) {
  const folder = temporaryFolder()
  const reserve = new JournalReserve(folder, FILE_BYTES, OWNERS)
  reserve.adopt()
  expect(reserve.refill()).toBe(true)
  const fs = new FullFs(code)
  const { writer } = openWriter({ folder, fs, reserve })
  onTestFinished(() => writer.close().catch(() => undefined))
  return { folder, reserve, fs, writer }
}

/** New files find no room; files that exist are written in place. */
class FullFs extends FaultyFs {
  readonly #code: string
  readonly #reserved = new Set<number>()
  isFull = false

  constructor(code: string) {
    super()
    this.#code = code
  }

  override openSync(path: string, flags: string, mode?: number): number {
    const descriptor = super.openSync(path, flags, mode)
    if (flags === 'r+') this.#reserved.add(descriptor)
    else this.#reserved.delete(descriptor)
    return descriptor
  }

  override writeSync(
    fd: number,
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): number {
    if (!this.isFull || this.#reserved.has(fd)) return super.writeSync(fd, bytes, offset, length, position)
    if (this.#code === 'short') return super.writeSync(fd, bytes, offset, Math.floor(length / 2), position)
    throw Object.assign(new Error('no room'), { code: this.#code })
  }
}

describe('the reserve of a journal', () => {
  it.each(['ENOSPC', 'EDQUOT', 'short'])('takes the lines of open calls after %s', async (code) => {
    const { folder, fs, reserve, writer } = openWithReserve(code)
    writer.append(openedLine('first'))
    writer.write()
    await writer.sync()
    fs.isFull = true
    writer.append(settledLine('first'))
    writer.write()
    expect(writer.canWrite).toBe(true)
    expect(reserve.isKept).toBe(false)
    expect(statSync(writer.path).size).toBe(FILE_BYTES)
    const { lines, gaps } = readJournal(writer.path)
    expect(lines.map(({ line }) => line)).toEqual([settledLine('first')])
    expect(gaps).toEqual([])
    fs.isFull = false
    writer.leaveReserve()
    expect(statSync(writer.path).size).toBeLessThan(FILE_BYTES)
    expect(readdirSync(folder).filter((name) => name.endsWith('.reserve'))).toEqual([])
  })

  it('is left alone by another error', () => {
    const { fs, reserve, writer } = openWithReserve('EIO')
    fs.isFull = true
    writer.append(openedLine('first'))
    expect(() => writer.write()).toThrow('the journal is broken')
    expect(reserve.isKept).toBe(true)
  })

  it('is enough for the first file of a process that starts on a full disk', () => {
    const folder = temporaryFolder()
    const reserve = new JournalReserve(folder, FILE_BYTES, OWNERS)
    reserve.refill()
    const fs = new FullFs('ENOSPC')
    fs.isFull = true
    const { writer } = openWriter({ folder, fs, reserve })
    expect(writer.canWrite).toBe(true)
    expect(reserve.isKept).toBe(false)
  })

  it('grows with the calls in flight, 4 KiB for each', () => {
    const folder = temporaryFolder()
    const reserve = new JournalReserve(folder, FILE_BYTES, OWNERS)
    reserve.refill()
    const perFile = FILE_BYTES / RESERVE_BYTES_PER_CALL
    for (const [calls, files] of [
      [perFile, 1],
      [perFile + 1, 2],
      [5 * perFile, 5],
      [1, 5],
    ] as const) {
      expect(reserve.cover(calls)).toBe(true)
      expect(readdirSync(folder)).toHaveLength(files)
    }
    reserve.close()
    expect(readdirSync(folder)).toEqual([])
  })

  it('takes over the files of processes that have ended, and no others', () => {
    const folder = join(temporaryFolder(), 'journal')
    mkdirSync(folder)
    const content = Buffer.alloc(FILE_BYTES)
    writeFileSync(join(folder, '999999999.1-1.reserve'), content)
    writeFileSync(join(folder, '999999999.1-2.reserve'), content.subarray(1))
    writeFileSync(join(folder, '8.-3.reserve'), content)
    const reserve = new JournalReserve(folder, FILE_BYTES, OWNERS)
    reserve.adopt()
    expect(reserve.isKept).toBe(true)
    expect(readdirSync(folder)).toHaveLength(2)
    expect(readdirSync(folder)).toContain('8.-3.reserve')
  })
})
