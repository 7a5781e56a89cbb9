import { array, assert, property, string, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import { readForm, textsOf, writeForm } from './form.ts'

const TYPE = 'multipart/form-data; boundary="a b"'

function formWith(...parts: readonly string[]): Buffer {
  return Buffer.from([...parts.map((part) => `--a b\r\n${part}`), '--a b--\r\n'].join('\r\n'))
}

const field = (name: string, value: string) =>
  `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`
const FILE =
  'Content-Disposition: form-data; name="file"; filename="x.wav"\r\nContent-Type: audio/wav\r\n\r\nRIFF\r\n--a'

test('a form is read into its text fields and its files', () => {
  const form = readForm(formWith(field('model', 'm'), field('tag[]', '1'), FILE, field('tag[]', '2')), TYPE)
  expect(textsOf(form)).toEqual({ model: 'm', 'tag[]': ['1', '2'] })
  expect(form.parts[2]).toMatchObject({ name: 'file', fileName: 'x.wav', type: 'audio/wav' })
  expect(form.parts[2]?.content.toString()).toBe('RIFF\r\n--a')
})

test('a form is written with changed fields, without copying its files', () => {
  const bytes = formWith(field('model', 'm'), FILE, field('n', '1'))
  const form = readForm(bytes, TYPE)
  const pieces = writeForm(form, { model: 'other', stream: false })
  const again = readForm(Buffer.concat(pieces), TYPE)
  expect(textsOf(again)).toEqual({ model: 'other', stream: 'false' })
  const file = pieces.find((piece) => piece.toString() === 'RIFF\r\n--a')
  expect(file?.buffer).toBe(bytes.buffer)
})

test('any field names and any file bytes survive a round trip', async () => {
  const names = string({ minLength: 1, unit: 'binary' }).map((name) => name.toWellFormed())
  const forms = property(
    array(names, { maxLength: 4 }),
    uint8Array({ maxLength: 200 }),
    (fields, content) => {
      const texts = Object.fromEntries(fields.map((name) => [name, name]))
      const parts = [{ name: 'file', fileName: 'a', type: undefined, content: Buffer.from(content) }]
      const form = readForm(Buffer.concat(writeForm({ boundary: 'long-and-rare-0815', parts }, texts)), RARE)
      expect(form.parts.at(-1)?.content.equals(content)).toBe(true)
      expect(form.parts).toHaveLength(Object.keys(texts).length + 1)
    },
  )
  assert(forms)
})

const RARE = 'multipart/form-data; boundary=long-and-rare-0815'

test.each([
  ['no boundary', 'multipart/form-data', formWith(FILE)],
  ['another type', 'application/json', formWith(FILE)],
  ['nothing', TYPE, Buffer.alloc(0)],
  ['no end', TYPE, Buffer.from(`--a b\r\n${FILE}`)],
  ['a part without a name', TYPE, formWith('Content-Disposition: form-data\r\n\r\nx')],
  ['a part without a head', TYPE, formWith('\r\nx')],
  ['a part with two names', TYPE, formWith(`Content-Disposition: form-data; name="a"\r\n${field('b', 'x')}`)],
  ['an encoding of its own', TYPE, formWith(`Content-Transfer-Encoding: base64\r\n${field('a', 'x')}`)],
  ['words behind a delimiter', TYPE, Buffer.from(`--a b word\r\n${FILE}\r\n--a b--`)],
  ['too many parts', TYPE, formWith(...Array.from({ length: 129 }, () => field('a', 'x')))],
])('a form with %s is rejected', (_name, type, bytes) => {
  expect(() => readForm(bytes, type)).toThrow(expect.objectContaining({ name: 'Problem' }))
})
