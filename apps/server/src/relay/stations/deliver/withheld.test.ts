import { expect, test } from 'vitest'
import { Withheld } from './withheld.ts'
import { WithheldTail } from './withheld-tail.ts'

const frame = (bytes: number): Buffer => Buffer.alloc(bytes, 'x')
const KIB = 1024

test('the end of a stream is withheld for two seconds', () => {
  const end = new Withheld()
  expect(end.isDue(10_000)).toBe(false)
  end.add([frame(10)], 10_000)
  end.add([frame(10)], 11_000)
  expect([end.isDue(11_999), end.isDue(12_000)]).toEqual([false, true])
  expect(end.release()).toHaveLength(2)
  expect([end.isOpen, end.isDue(20_000), end.release()]).toEqual([false, false, []])
})

test('the first frames may be large, for example an image, and those after them may not', () => {
  const end = new Withheld()
  end.add([frame(4 * KIB * KIB)], 0)
  end.add([frame(256 * KIB)], 1)
  expect(end.isDue(1)).toBe(false)
  end.add([frame(1)], 2)
  expect(end.isDue(2)).toBe(true)
})

test('of a response in pieces only the last bytes are withheld, however it is cut', () => {
  const whole = Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 251))
  for (const size of [1, 100, 256, 300, 5_000]) {
    const end = new WithheldTail()
    const sent: Buffer[] = []
    for (let at = 0; at < whole.length; at += size) sent.push(end.push(whole.subarray(at, at + size)))
    expect([Buffer.concat(sent).length, end.rest().length]).toEqual([5_000 - 256, 256])
    expect(Buffer.concat([...sent, end.rest()]).equals(whole)).toBe(true)
  }
})
