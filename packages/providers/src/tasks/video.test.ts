import { describe, expect, it } from 'vitest'
import { arkUpstream } from './ark.ts'
import { soraUpstream } from './sora.ts'
import type { TaskUpstream } from './upstream.ts'
import { readVideoAsk } from './video-ask.ts'
import { shapeOf } from './video-size.ts'
import { viduUpstream } from './vidu.ts'

const place = { key: 'k', model: 'm', originId: undefined }
const asked = (maker: TaskUpstream, body: object) =>
  maker.submit(readVideoAsk({ model: 'm', prompt: 'a wave', ...body }), place)
const pictures = (count: number) => Array.from({ length: count }, (_, at) => `https://a.test/${at}.png`)

const roles = (count: number) =>
  Object(asked(arkUpstream, { images: pictures(count) }).body).content.map(
    ({ role }: { role?: string }) => role,
  )

it.each([
  ['1280x720', '16:9', '720p'],
  ['720*1280', '9:16', '720p'],
  ['1920x1088', '16:9', '1080p'],
  ['1024x1024', '1:1', '720p'],
  ['4:3', '4:3', undefined],
  ['480P', undefined, '480p'],
  ['4k', undefined, undefined],
])('%s is %s in %s', (size, ratio, resolution) => {
  expect(shapeOf(size)).toEqual({ ratio, resolution })
})

describe('Vidu', () => {
  it.each([
    [0, 'text2video'],
    [1, 'img2video'],
    [2, 'start-end2video'],
    [3, 'reference2video'],
  ])('has a place for %d pictures: %s', (count, kind) => {
    expect(asked(viduUpstream, { images: pictures(count) }).path).toBe(`/ent/v2/${kind}`)
  })
})

describe('Ark', () => {
  it('obeys no orders in the words that change the price', () => {
    const { body } = asked(arkUpstream, { prompt: 'a wave --dur 12 --rt 16:9 --frames 289', seconds: 5 })
    expect(body).toEqual({
      model: 'm',
      content: [{ type: 'text', text: 'a wave --rt 16:9' }],
      duration: 5,
    })
  })

  it('is told which picture is which', () => {
    expect(roles(1)).toEqual([undefined, undefined])
    expect(roles(2)).toEqual(['first_frame', 'last_frame', undefined])
    expect(roles(3)).toEqual(['reference_image', 'reference_image', 'reference_image', undefined])
  })
})

describe('Sora', () => {
  it('fetches a picture by its address, and gets others as a file', () => {
    const [url] = pictures(1)
    expect(asked(soraUpstream, { input_reference: { image_url: url } })).toEqual({
      method: 'POST',
      path: '/v1/videos',
      body: { model: 'm', prompt: 'a wave', input_reference: { image_url: url } },
    })
    const { files, body } = asked(soraUpstream, { image: 'data:image/png;base64,aGk=' })
    expect(files).toEqual([
      { name: 'input_reference', fileName: 'reference.png', type: 'image/png', content: Buffer.from('hi') },
    ])
    expect(body).toEqual({ model: 'm', prompt: 'a wave' })
  })
})
