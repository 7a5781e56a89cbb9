import { openTaskUpstream, type TaskUpstream } from '@tollgate/testkit/fake-task-upstream'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { visit } from './support/browser.ts'
import { startGateway, type Gateway } from './support/gateway.ts'
import { endVisits, launchBrowser } from './support/launch.ts'
import { seedSite, send, signIn, signInAs, type Site } from './support/seed.ts'

/** A drawing and a song, submitted with an API token and seen in the console. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const PROMPT = `a lighthouse in the rain, ${'oil on canvas, '.repeat(12)}--ar 16:9`

let gateway: Gateway
let upstream: TaskUpstream
let browser: Browser
let site: Site

beforeAll(async () => {
  ;[gateway, upstream, browser] = await Promise.all([startGateway(), openTaskUpstream(), launchBrowser()])
  site = await seedSite(gateway.url, upstream.url)
  const { username, password } = site
  const headers = await signIn(gateway.url, { username, password })
  const common = { key: 'upstream-key', base_url: upstream.url, group: 'default' }
  for (const channel of [
    { ...common, type: 2, name: 'Drawings', models: 'mj_imagine' },
    { ...common, type: 36, name: 'Songs', models: 'suno_music' },
  ])
    await send(gateway.url, '/api/channel/', { headers, body: channel })
  const picture = '/picture.png'
  upstream.answer(picture, { bytes: PIXEL, type: 'image/png' })
  const properties = { status: 'SUCCESS', imageUrl: upstream.url + picture, finishTime: Date.now() + 12_000 }
  const body = { code: 21, description: 'exists', result: '1718000000123456', properties }
  upstream.answer('/mj/submit/imagine', { body }, { body: { code: 24, description: 'banned prompt' } })
  upstream.answer('/suno/submit/MUSIC', { body: { code: 'success', message: '', data: 'song-1' } })
})

afterAll(async () => {
  await endVisits(browser)
  await upstream?.close()
  await gateway?.stop()
})

async function submit(path: string, body: object): Promise<number> {
  const answer = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${site.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return answer.status
}

/** How many pixels of a table are outside its frame and must be scrolled to. */
function widerThanItsFrame(page: Page): Promise<number> {
  return page
    .getByRole('table')
    .evaluate((table) => table.scrollWidth - (table.parentElement?.clientWidth ?? table.scrollWidth))
}

it('drawings are shown with their image, and songs with their record', async () => {
  expect(await submit('/mj/submit/imagine', { prompt: PROMPT })).toBe(200)
  expect(await submit('/mj/submit/imagine', { prompt: 'something banned' })).toBe(400)
  expect(await submit('/suno/submit/music', { gpt_description_prompt: 'a waltz' })).toBe(200)
  const visitor = await visit(browser, { url: gateway.url, language: 'en' })
  const { page, complaints } = visitor
  await signInAs(page, site)

  await page.goto('/midjourney')
  const drawing = page.getByRole('row').filter({ hasText: 'a lighthouse in the rain' })
  await drawing.getByText('Success').waitFor()
  await page.getByRole('row').filter({ hasText: 'something banned' }).getByText('Not submitted').waitFor()
  await page.getByText('Callbacks from drawing upstreams are off.').waitFor()
  expect(await widerThanItsFrame(page)).toBe(0)
  await drawing.getByRole('button', { name: 'View image' }).click()
  await page.getByRole('img', { name: PROMPT }).waitFor()
  await page.getByRole('link', { name: 'Download' }).waitFor()
  await page.keyboard.press('Escape')

  await page.goto('/task')
  const song = page.getByRole('row').filter({ hasText: 'song-1' })
  await song.getByText('Music').waitFor()
  await song.getByText('Not started').waitFor()
  expect(await widerThanItsFrame(page)).toBe(0)
  await song.getByRole('button', { name: 'song-1' }).click()
  await page.getByRole('dialog').getByText('"task_id": "song-1"').waitFor()
  expect(complaints).toEqual([])
  await visitor.close()
})
