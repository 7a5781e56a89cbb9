import { assert, boolean, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrameReader } from '../canonical/frames.ts'
import { SseEditor } from './sse.ts'

/** Texts with what a careless reader of lines trips over. */
const payloads = [
  { text: 'Grüße, 天气 🌦️ ok\u2028next\u2029', quote: '"}{[\\', nested: { list: [1, { a: 'data: x' }] } },
  { choices: [{ delta: { content: 'data: [DONE]' } }] },
  { empty: {}, list: [] },
]

const lineEnds = ['\n', '\r\n', '\r']
const layouts = ['one line', 'pretty lines', 'split at commas'] as const

interface StreamForm {
  readonly newline: string
  readonly space: string
  readonly mark: string
  readonly layout: (typeof layouts)[number]
  readonly isNamed: boolean
  readonly hasComments: boolean
}

function jsonLines(payload: unknown, layout: StreamForm['layout']): string[] {
  if (layout === 'pretty lines') return JSON.stringify(payload, null, 2).split('\n')
  const text = JSON.stringify(payload)
  // A comma before a member's name is never inside a string of these payloads.
  return layout === 'one line' ? [text] : text.split(/(?<=,)(?="(?:quote|nested|list)":)/)
}

function writeStream(form: StreamForm): Buffer {
  const { newline, space } = form
  const events = payloads.map((payload) => {
    const name = form.isNamed ? `event: message${newline}` : ''
    const comment = form.hasComments ? `: still here${newline}id: 7${newline}retry: 3000${newline}` : ''
    const lines = jsonLines(payload, form.layout).map((line) => `data:${space}${line}${newline}`)
    return comment + name + lines.join('') + newline
  })
  return Buffer.from(`${form.mark}${events.join('')}data:${space}[DONE]${newline}${newline}`)
}

function cutEvery(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
}

function readPayloads(chunks: readonly Buffer[]): unknown[] {
  const reader = new FrameReader()
  const frames = [...chunks.flatMap((chunk) => reader.push(chunk)), ...reader.end()]
  expect(reader.hasGarbage).toBe(false)
  return frames.map(({ data }) => (data.startsWith('{') ? JSON.parse(data) : data))
}

const anyForm = record<StreamForm>({
  newline: constantFrom(...lineEnds),
  space: constantFrom('', ' ', '  '),
  mark: constantFrom('', '\ufeff'),
  layout: constantFrom(...layouts),
  isNamed: boolean(),
  hasComments: boolean(),
})

describe('event streams', () => {
  it('are read alike in every form of the standard, wherever they are cut', () => {
    assert(
      property(anyForm, integer({ min: 1, max: 80 }), (form, size) => {
        expect(readPayloads(cutEvery(writeStream(form), size))).toEqual([...payloads, '[DONE]'])
      }),
      { numRuns: 400 },
    )
  })

  it('pass byte for byte, in the buffers that came, while they are plain', () => {
    for (const newline of ['\n', '\r\n'])
      for (const isNamed of [false, true]) {
        const form: StreamForm = {
          newline,
          space: ' ',
          mark: '',
          layout: 'one line',
          isNamed,
          hasComments: true,
        }
        const editor = new SseEditor({
          onData: () => 'keep',
          bufferedBytesMax: 1024,
          pairsEventLines: isNamed,
        })
        const stream = writeStream(form)
        expect(editor.push(stream)).toEqual([stream])
        for (const size of [1, 2, 7, 50]) {
          const editorOfPieces = new SseEditor({ onData: () => 'keep', bufferedBytesMax: 1024 })
          const pieces = cutEvery(stream, size).flatMap((piece) => editorOfPieces.push(piece))
          expect(Buffer.concat([...pieces, ...editorOfPieces.end()])).toEqual(stream)
        }
      }
  })

  it('pass to callers with one data line per JSON text when they came in another form', () => {
    assert(
      property(anyForm, integer({ min: 1, max: 80 }), (form, size) => {
        const editor = new SseEditor({ onData: () => 'keep', bufferedBytesMax: 64 * 1024 })
        const output = cutEvery(writeStream(form), size).flatMap((piece) => editor.push(piece))
        const text = Buffer.concat([...output, ...editor.end()]).toString()
        const lines = text.split(/\r?\n/).filter((line) => line.startsWith('data:'))
        const values = lines.map((line) => line.slice(5).trimStart())
        expect(values.map((value) => (value.startsWith('{') ? JSON.parse(value) : value))).toEqual([
          ...payloads,
          '[DONE]',
        ])
      }),
      { numRuns: 200 },
    )
  })

  it('deliver an event with its last byte, before the next one begins', () => {
    for (const newline of lineEnds) {
      const reader = new FrameReader()
      expect(reader.push(Buffer.from(`data: {"a":1}${newline}${newline}`))).toHaveLength(1)
      expect(reader.push(Buffer.from(`data: {${newline}data: "a":2}${newline}${newline}`))).toHaveLength(1)
    }
  })

  it('go on after an event whose JSON text never ends', () => {
    const reader = new FrameReader()
    const frames = reader.push(Buffer.from('data: {"a":\r\rdata: {\ndata: "b":2}\n\n'))
    expect(frames.map(({ data }) => data)).toEqual(['{"a":', '{ "b":2}'])
  })

  it('may omit the blank line between events', () => {
    const reader = new FrameReader()
    expect(reader.push(Buffer.from('data: {"a":1}\ndata: {"b":2}\ndata: [DONE]\n'))).toHaveLength(3)
  })

  it('may change from one end of line to another', () => {
    const reader = new FrameReader()
    const stream = [
      'data: {"a":1}\n\n',
      ': ping\rdata: {"b":2}\r\r',
      'data: {"c":3}\r\n\r\n',
      'data: {"d":4}',
    ]
    const frames = [...stream.flatMap((piece) => reader.push(Buffer.from(piece))), ...reader.end()]
    expect(frames.map(({ data }) => data)).toEqual(['{"a":1}', '{"b":2}', '{"c":3}', '{"d":4}'])
  })
})
