import process from 'node:process'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StreamTap } from '../stream/stream-tap.ts'
import { openStreamTap, type StreamTapOptions } from './stream-tap.ts'
import { readMoonshotUsage, readOpenAiUsage } from '../openai-usage.ts'

/** `npm run verify` sets TOLLGATE_QUICK, `npm run test:faults` the long form. */
const USUAL_CUTTINGS = process.env['TOLLGATE_FAULTS'] === 'long' ? 10_000 : 3_000
const CUTTINGS = process.env['TOLLGATE_QUICK'] ? 300 : USUAL_CUTTINGS

const base: StreamTapOptions = {
  operation: 'chat',
  readUsage: readOpenAiUsage,
  forwardsUsage: false,
  inputTokensCounted: 11,
}

const head = { id: 'c1', object: 'chat.completion.chunk', created: 5, model: 'm' }
const line = (payload: object): string => `data: ${JSON.stringify(payload)}\n\n`
const delta = (body: object, finish: string | null = null): string =>
  line({ ...head, choices: [{ index: 0, delta: body, finish_reason: finish }] })
const second = (body: object, finish: string | null = null): string =>
  line({ ...head, choices: [{ index: 1, delta: body, finish_reason: finish }] })
const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 }
const usageLine = line({ ...head, choices: [], usage })
const DONE = 'data: [DONE]\n\n'
const hello =
  delta({ role: 'assistant', content: '' }) + delta({ content: 'Hello' }) + delta({ content: ' world' })
const whole = hello + delta({}, 'stop') + usageLine + DONE

function run(tap: StreamTap, chunks: readonly (string | Buffer)[]): string {
  const output = chunks.flatMap((chunk) => tap.push(Buffer.from(chunk)))
  return Buffer.concat([...output, ...tap.end()]).toString()
}

function read(text: string, options: Partial<StreamTapOptions> = {}) {
  const tap = openStreamTap({ ...base, ...options })
  return { output: run(tap, [text]), reading: tap.reading, frames: tap.frames }
}

describe('a regular stream', () => {
  it('forwards the same buffers that came in', () => {
    const tap = openStreamTap(base)
    const chunks = [hello, delta({}, 'stop')].map((text) => Buffer.from(text))
    for (const chunk of chunks) {
      const output = tap.push(chunk)
      expect(output).toHaveLength(1)
      expect(output[0]).toBe(chunk)
    }
  })

  it('reads the usage and withholds its chunk if the caller did not request it', () => {
    const { output, reading, frames } = read(whole)
    expect(output).toBe(hello + delta({}, 'stop') + DONE)
    expect(reading).toMatchObject({
      usage: { inputText: 9, outputText: 4 },
      finish: { reason: 'stop', raw: 'stop' },
      hasOutput: true,
      isComplete: true,
      error: undefined,
    })
    expect(frames).toBe(4)
  })

  it('forwards usage if the caller requested it', () => {
    expect(read(whole, { forwardsUsage: true }).output).toBe(whole)
  })

  it('creates a usage chunk from local counts if the upstream sent none', () => {
    const { output, reading } = read(hello + delta({}, 'stop') + DONE, { forwardsUsage: true })
    const counted = { prompt_tokens: 11, completion_tokens: reading.outputTokensCounted }
    expect(reading.outputTokensCounted).toBe(2)
    expect(output).toBe(
      hello +
        delta({}, 'stop') +
        line({ ...head, choices: [], usage: { ...counted, total_tokens: 13 } }) +
        DONE,
    )
    expect(reading.usage).toBeUndefined()
  })

  it('never withholds a usage chunk that also contains output', () => {
    const last = line({
      ...head,
      choices: [{ index: 0, delta: { content: '!' }, finish_reason: 'stop' }],
      usage,
    })
    expect(read(hello + last + DONE)).toMatchObject({
      output: hello + last + DONE,
      reading: { usage: { outputText: 4 } },
    })
  })

  it('keeps the last usage that is not empty', () => {
    const early = line({ ...head, choices: [], usage: { prompt_tokens: 9, completion_tokens: 1 } })
    const empty = line({ ...head, choices: [], usage: { prompt_tokens: 0, completion_tokens: 0 } })
    expect(read(hello + early + usageLine + empty + DONE).reading.usage).toMatchObject({ outputText: 4 })
    expect(read(hello + early + delta({}, 'stop') + DONE).reading.usage).toMatchObject({ outputText: 1 })
  })

  it('reads usage from the place where the vendor puts it', () => {
    const last = line({ ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] })
    expect(read(hello + last + DONE, { readUsage: readMoonshotUsage }).reading.usage).toMatchObject({
      inputText: 9,
    })
  })

  it('forwards comments, CR LF, data lines without a space and frames without a blank line', () => {
    const text = `: OPENROUTER PROCESSING\r\n\r\n${whole.replaceAll('data: ', 'data:').replaceAll('\n\n', '\r\n\r\n')}`
    const usageCrlf = usageLine.replace('data: ', 'data:').replace('\n\n', '\r\n\r\n')
    expect(read(text)).toMatchObject({ output: text.replace(usageCrlf, ''), reading: { isComplete: true } })
    const tight = whole.replaceAll('\n\n', '\n')
    expect(read(tight).output).toBe(`${tight.replace(usageLine.trimEnd() + '\n', '')}\n`)
  })

  it('drops empty data, data that is not JSON, and unknown fields', () => {
    expect(read(`data:\n\ndata: ok\n\nhello: there\n\n${whole}`).output).toBe(read(whole).output)
  })

  it('emits nothing after the end', () => {
    const tap = openStreamTap(base)
    expect(run(tap, [`${whole}${hello}`])).toBe(read(whole).output)
    expect(tap.push(Buffer.from(hello))).toEqual([])
    expect(tap.end()).toEqual([])
    expect(tap.cut()).toEqual([])
  })
})

describe('output of a stream', () => {
  const nothing = delta({ role: 'assistant', content: '' }) + delta({}, 'stop') + usageLine + DONE

  it.each([
    ['text', delta({ content: 'x' }), true],
    ['reasoning', delta({ reasoning_content: 'hm' }), true],
    ['a refusal', delta({ refusal: 'no' }), true],
    [
      'a tool call',
      delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '' } }] }),
      true,
    ],
    ['audio', delta({ audio: { id: 'a', data: 'AAAA' } }), true],
    ['an image', delta({ images: [{ type: 'image_url', image_url: { url: 'data:x' } }] }), true],
    ['a legacy text', line({ id: 'c', choices: [{ index: 0, text: 'x' }] }), true],
    ['a role', delta({ role: 'assistant' }), false],
    ['probabilities', line({ choices: [{ delta: {}, logprobs: { content: [{ token: 'x' }] } }] }), false],
  ])('is detected correctly for a chunk with %s', (_name, text, hasOutput) => {
    expect(read(text + nothing).reading.hasOutput).toBe(hasOutput)
  })

  it('counts reasoning once if a vendor sends it under two names', () => {
    const once = read(delta({ reasoning: 'one two three four' }) + DONE).reading.outputTokensCounted
    const both = delta({
      reasoning: 'one two three four',
      reasoning_content: 'one two three four',
      reasoning_details: [{ type: 'reasoning.text', text: 'one two three four' }],
    })
    expect(read(both + DONE).reading.outputTokensCounted).toBe(once)
  })

  it('counts tool calls with their names and arguments', () => {
    const call = delta({ tool_calls: [{ index: 0, function: { name: 'find', arguments: '{"q":"sea"}' } }] })
    expect(read(call + DONE).reading.outputTokensCounted).toBeGreaterThanOrEqual(7 + 4)
  })
})

describe('a broken stream', () => {
  it('is forwarded only up to the last whole line, so that an error frame can follow', () => {
    const { output, reading } = read(`${hello}data: {"id":"c1","cho`)
    expect(output).toBe(hello)
    expect(reading).toMatchObject({ isComplete: false, error: undefined, hasOutput: true })
  })

  it('gets the blank line that is missing after its last line', () => {
    expect(read(hello.slice(0, -1)).output).toBe(hello)
    expect(read(hello.slice(0, -2)).output).toBe(hello)
  })

  it('gets an end marker if it finished without one', () => {
    expect(read(hello + delta({}, 'stop'))).toMatchObject({
      output: hello + delta({}, 'stop') + DONE,
      reading: { isComplete: true },
    })
  })

  it.each([
    ['fewer answers came than were asked for', hello + delta({}, 'stop'), true],
    ['one of them came in part', hello + second({ content: 'b' }) + delta({}, 'stop'), false],
    ['both came', hello + second({ content: 'b' }) + delta({}, 'stop') + second({}, 'stop'), true],
    ['none finished', hello, false],
  ])(
    'is complete without its end marker if every choice that began has finished: %s',
    (_name, text, isWell) => {
      const { reading, output } = read(text, { choices: 2 })
      expect(reading.isComplete).toBe(isWell)
      expect(output).toBe(isWell ? text + DONE : text)
    },
  )

  it.each([
    ['at the start', ''],
    ['after output', hello],
  ])('loses an error frame %s, which is reported instead', (_name, before) => {
    const { output, reading } = read(
      `${before}${line({ error: { code: 503, message: 'sk-abcdefgh is over' } })}${hello}${DONE}`,
    )
    expect(output).toBe(before)
    expect(reading.error).toMatchObject({ status: 503, message: '[key] is over' })
    expect(reading.isComplete).toBe(false)
  })

  it('gets a blank line before an error frame of the gateway if the vendor leaves out blank lines', () => {
    const tap = openStreamTap(base)
    const output = tap.push(Buffer.from(`${hello.trimEnd()}\n${line({ error: { message: 'no' } })}`))
    expect(Buffer.concat([...output]).toString()).toBe(hello)
  })

  it('reports an error in a vendor format', () => {
    const rules = { errorInside: (chunk: object) => ('base_resp' in chunk ? 'no balance' : undefined) }
    expect(read(line({ base_resp: { status_code: 1008 } }), rules).reading.error?.message).toBe('no balance')
  })

  it.each([
    ['nothing', '', 'empty_response'],
    ['blanks', '\n\n', 'empty_response'],
    ['comments alone', ': hi\n\n', 'empty_response'],
    ['an end mark alone', 'data: [DONE]\n\n', 'empty_response'],
    ['usage alone', usageLine + DONE, 'empty_response'],
    ['a web page', '<html>\n<body>502</body></html>', 'bad_response_body'],
    ['garbage', 'what is this', 'bad_response_body'],
    ['garbage in data', 'data: what is this\n\n', 'bad_response_body'],
    ['half a frame', 'data: {"choices":[{', 'bad_response_body'],
    ['half a JSON', '{"choices":[', 'bad_response_body'],
    ['a JSON error', '{"error":{"message":"no","code":"x"}}', 'x'],
  ])('is an error if it consists of %s', (_name, text, code) => {
    const { output, reading } = read(text)
    expect(output.replace(': hi\n\n', '').trim()).toBe('')
    expect(reading.error?.code).toBe(code)
    expect(reading.hasOutput).toBe(false)
  })

  it('is replaced by a replay if a whole response came instead', () => {
    const message = { role: 'assistant', content: 'hi', tool_calls: [{ id: 't', function: { name: 'f' } }] }
    const answer = {
      id: 'a',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage,
    }
    const { output, reading } = read(JSON.stringify(answer, undefined, 1), { forwardsUsage: true })
    expect(output).toContain('"delta":{"role":"assistant","content":"hi","tool_calls":[{"index":0,"id":"t"')
    expect(
      output.endsWith(
        `${line({ id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage })}${DONE}`,
      ),
    ).toBe(true)
    expect(reading).toMatchObject({ isComplete: true, hasOutput: true, usage: { inputText: 9 } })
    expect(reading.outputTokensCounted).toBeGreaterThan(7)
  })

  it('can be ended early by the gateway, in the middle of a line', () => {
    const tap = openStreamTap({ ...base, forwardsUsage: true, choices: 2 })
    const before = tap.push(Buffer.from(`${hello}data: {"id`))
    const after = Buffer.concat([...before, ...tap.cut()]).toString()
    const end = (index: number) =>
      line({ ...head, choices: [{ index, delta: {}, logprobs: null, finish_reason: 'length' }] })
    const counted = { prompt_tokens: 11, completion_tokens: 2, total_tokens: 13 }
    expect(after).toBe(`${hello}${end(0)}${end(1)}${line({ ...head, choices: [], usage: counted })}${DONE}`)
    expect(tap.reading).toMatchObject({ isComplete: false, finish: { reason: 'length' } })
    expect(tap.push(Buffer.from(hello))).toEqual([])
  })
})

describe('lines over the buffer limit', () => {
  const long = delta({ images: [{ image_url: { url: `data:${'A'.repeat(5000)}` } }] })
  const limit = { bufferedBytesMax: 1000 }

  it('pass in pieces and count as output', () => {
    const tap = openStreamTap({ ...base, ...limit })
    const output = run(tap, [...pieces(long, 700), usageLine, DONE])
    expect(output).toBe(long + DONE)
    expect(tap.reading).toMatchObject({ hasOutput: true, usage: { inputText: 9 } })
  })

  it('name the reply when the first line is one of them', () => {
    const tap = openStreamTap({ ...base, ...limit })
    const output = run(tap, [...pieces(long, 700), DONE])
    expect(tap.reading).toMatchObject({ replyId: head.id })
    expect(output).toContain(`"id":"${head.id}"`)
  })

  it('are counted like short ones, with their usage and finish reasons', () => {
    const words = fc.string({ unit: 'binary', maxLength: 60 })
    const call = fc.record({ function: fc.record({ name: words, arguments: words }) })
    const body = fc.record({
      reasoning: words,
      content: words,
      tool_calls: fc.array(call, { maxLength: 2 }),
      odd: words,
    })
    const cuts = fc.array(fc.nat(2_000), { maxLength: 8 })
    fc.assert(
      fc.property(body, fc.boolean(), cuts, (said, isPretty, places) => {
        const choice = { index: 0, delta: said, logprobs: { content: [said] }, finish_reason: 'stop' }
        const chunk = { ...head, padding: 'x'.repeat(30), choices: [choice], usage }
        const text = JSON.stringify(chunk, undefined, isPretty ? ' ' : undefined).replaceAll('\n', '')
        const bytes = Buffer.from(`data: ${text}\n\n`)
        const expected = read(bytes.toString())
        const tap = openStreamTap({ ...base, bufferedBytesMax: 20 })
        expect(run(tap, cutAt(bytes, places))).toBe(expected.output)
        // The id of the reply and its model are only looked for at the beginning of such a line.
        const unknown = { replyId: undefined, model: undefined }
        expect({ ...tap.reading, ...unknown }).toEqual({ ...expected.reading, hasOutput: true, ...unknown })
      }),
      { numRuns: process.env['TOLLGATE_QUICK'] ? 200 : 1_000 },
    )
  })

  it.each([
    [2_000, { inputText: 9, outputText: 4 }],
    [200_000, undefined],
  ])('may contain a usage of %i bytes, which is read if it is below the limit', (size, expected) => {
    const tap = openStreamTap({ ...base, ...limit })
    const filled = line({ ...head, choices: [], usage: { ...usage, x: 'y'.repeat(size) } })
    run(tap, [hello, ...pieces(filled, 700), DONE])
    if (expected) expect(tap.reading.usage).toMatchObject(expected)
    else expect(tap.reading.usage).toBeUndefined()
  })

  it('are dropped if they are not data lines', () => {
    const tap = openStreamTap({ ...base, ...limit })
    expect(run(tap, [': x\n', ...pieces('x'.repeat(5000), 700), '\n', hello, DONE])).toBe(
      `: x\n${hello}${DONE}`,
    )
  })
})

describe('channels that modify the stream', () => {
  it('merge reasoning into the content', () => {
    const text =
      delta({ role: 'assistant', reasoning_content: 'let' }) +
      delta({ reasoning_content: ' me' }) +
      delta({ content: 'So' }) +
      delta({ content: '.' }, 'stop') +
      DONE
    expect(contents(read(text, { thinkingToContent: true }).output)).toEqual([
      '<think>\nlet',
      ' me',
      '\n</think>\nSo',
      '.',
    ])
  })

  it('close the think tag before a tool call and before the end', () => {
    const call = delta({ tool_calls: [{ index: 0, function: { name: 'f' } }] })
    const text = delta({ reasoning: 'a' }) + call + delta({}, 'stop') + DONE
    expect(contents(read(text, { thinkingToContent: true }).output)).toEqual([
      '<think>\na',
      '\n</think>\n',
      undefined,
    ])
    const cut = delta({ reasoning: 'a' }) + delta({}, 'length') + DONE
    expect(contents(read(cut, { thinkingToContent: true }).output)).toEqual(['<think>\na', '\n</think>\n'])
  })

  it('rebuild chunks from known fields, and apply the adjustment of a provider last', () => {
    const odd = line({
      ...head,
      extra: 1,
      choices: [{ index: 0, delta: { content: 'a', odd: 2 }, finish_reason: null }],
    })
    expect(read(odd + DONE, { forceFormat: true }).output).toBe(delta({ content: 'a' }) + DONE)
    expect(read(hello + DONE, { adjustChunk: { apply: renamed } }).output).toContain('"id":"mine"')
  })
})

describe('cutting the bytes of a stream anywhere', () => {
  it('does not change the output or the reading', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 })
    const one = fc.oneof(
      fc
        .tuple(text, fc.constantFrom(null, 'stop', 'length'))
        .map(([content, finish]) => delta({ content }, finish)),
      text.map((reasoning) => delta({ reasoning_content: reasoning })),
      fc.constantFrom(
        usageLine,
        DONE,
        ': hi\n\n',
        'data: x\n\n',
        ': a\n',
        '\n',
        'event: e\n',
        line({ usage }),
      ),
      fc.constantFrom(line({ error: { message: 'no' } }), line({ id: 1 }), 'data: {"choices":[', '{', '<p>'),
    )
    const stream = fc.array(one, { maxLength: 8 }).map((frames) => frames.join(''))
    const options = fc.record({
      forwardsUsage: fc.boolean(),
      thinkingToContent: fc.boolean(),
      bufferedBytesMax: fc.constantFrom(150, 100_000),
    })
    fc.assert(
      fc.property(
        stream,
        options,
        fc.boolean(),
        fc.array(fc.nat(400), { maxLength: 6 }),
        (sent, each, isCrLf, cuts) => {
          const bytes = Buffer.from(isCrLf ? sent.replaceAll('\n', '\r\n') : sent)
          const atOnce = openStreamTap({ ...base, ...each })
          const inPieces = openStreamTap({ ...base, ...each })
          const expected = run(atOnce, [bytes])
          expect(run(inPieces, cutAt(bytes, cuts))).toBe(expected)
          expect(inPieces.reading).toEqual(atOnce.reading)
          expect(inPieces.frames).toBe(atOnce.frames)
        },
      ),
      { numRuns: CUTTINGS },
    )
  })

  it('does not change the output even if every byte comes alone', () => {
    const tap = openStreamTap(base)
    expect(run(tap, pieces(whole, 1))).toBe(read(whole).output)
    expect(tap.reading).toEqual(read(whole).reading)
  })
})

function renamed(chunk: Record<string, unknown>): Record<string, unknown> {
  return { ...chunk, id: 'mine' }
}

function pieces(text: string, size: number): Buffer[] {
  const bytes = Buffer.from(text)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
}

function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, at) => bytes.subarray(places[at], end))
}

/** Returns `delta.content` of every frame with choices. */
function contents(output: string): unknown[] {
  return output
    .split('\n')
    .filter((each) => each.startsWith('data: {'))
    .map((each): { choices: { delta: { content?: string } }[] } => JSON.parse(each.slice(6)))
    .flatMap((chunk) => chunk.choices.map((choice) => choice.delta.content))
}
