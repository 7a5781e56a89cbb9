import { afterEach, expect, it } from 'vitest'
import { focusOn } from './focus-on.ts'

afterEach(() => document.body.replaceChildren())

function draw(): void {
  document.body.innerHTML = `
    <input id="outside">
    <div role="dialog" tabindex="-1"><input id="first"><input id="second"><button id="send">Send</button></div>`
}

it.each(['outside', 'send'])('focuses the first field from %s', (from) => {
  draw()
  document.getElementById(from)?.focus()
  focusOn('first')
  expect(document.activeElement?.id).toBe('first')
})

it('does not move the focus of a reader who is already in another field', () => {
  draw()
  document.getElementById('second')?.focus()
  focusOn('first')
  expect(document.activeElement?.id).toBe('second')
})
