import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { OperatorContent } from './operator-content.tsx'

const shown = (text: string) => render(<OperatorContent title="Notice" text={text} />).container

it("renders HTML inside the operator's Markdown", () => {
  const page = shown(
    [
      'On **Sunday** we move.<br>Ask <a href="https://gate.example/help">us</a>, <font color="red">early</font>.',
      '',
      '<details open><summary>Why?</summary>',
      '',
      'It is **faster** there.',
      '',
      '</details>',
      '',
      '| a | b |',
      '|---|:-:|',
      '| <b>1</b> | `<b>` & 2 |',
    ].join('\n'),
  )
  expect(page.querySelector('br')).not.toBeNull()
  expect(screen.getByText('Sunday').tagName).toBe('STRONG')
  expect(screen.getByRole('link', { name: 'us' }).getAttribute('href')).toBe('https://gate.example/help')
  expect(screen.getByRole('link', { name: 'us' }).getAttribute('rel')).toContain('noopener')
  expect(screen.getByText('early').getAttribute('color')).toBe('red')
  expect(screen.getByText('faster').closest('details')?.open).toBe(true)
  expect(screen.getByText('1').tagName).toBe('B')
  expect(screen.getByText('<b>').tagName).toBe('CODE')
  expect(page.textContent).not.toContain('<font')
})

it.each([
  'Hello <script>globalThis.ran = 1</script> you',
  'Hello <img src=x onerror="globalThis.ran = 1"> you',
  'Hello <b onclick="globalThis.ran = 1" style="color: red">you</b>',
  'Hello <a href="javascript:globalThis.ran = 1">you</a>',
  'Hello <a href=" java&#10;script:globalThis.ran = 1">you</a>',
  'Hello <svg><script>globalThis.ran = 1</script></svg> you',
  'Hello <svg onload="globalThis.ran = 1"></svg> you',
  'Hello <iframe srcdoc="<script>parent.ran = 1</script>"></iframe> you',
  'Hello <object data="javascript:globalThis.ran = 1"></object> you',
  'Hello <form action="javascript:globalThis.ran = 1"><button>you</button></form>',
  'Hello <math><mtext><table><mglyph><style><img src=x onerror="globalThis.ran = 1"></style></mglyph></table></mtext></math> you',
  'Hello <b title="`<img src=x onerror=globalThis.ran=1>`">you</b>',
  'Hello [you](javascript:globalThis.ran=1) <b>and</b> me',
  'Hello `<img src=x onerror=globalThis.ran=1>` <b>you</b>',
  'Hello ![you"onerror="globalThis.ran=1](https://a.example/x.png) <b>you</b>',
])("removes everything executable from the operator's Markdown: %s", (text) => {
  const page = shown(text)
  expect(page.textContent).toContain('Hello')
  expect(page.querySelector('script, iframe, object, embed')).toBeNull()
  for (const element of page.querySelectorAll('*'))
    for (const { name, value } of element.attributes) {
      expect(name).not.toMatch(/^on/)
      expect(value.replace(/\s/g, '')).not.toMatch(/^javascript:/i)
    }
  expect(globalThis).not.toHaveProperty('ran')
})

it('highlights code and keeps task lists beside HTML', () => {
  const page = shown('First <b>x</b>\n\n- [x] done\n\n```ts\nconst a = "b" < 1\n```')
  expect(page.querySelector('.hljs-keyword')?.textContent).toBe('const')
  expect(page.querySelector('pre')?.textContent).toBe('const a = "b" < 1\n')
  expect(page.querySelector<HTMLInputElement>('input[type=checkbox]')?.checked).toBe(true)
})
