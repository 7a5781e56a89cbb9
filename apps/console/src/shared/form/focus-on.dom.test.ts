import { afterEach, expect, it } from 'vitest'
import { focusOn } from './focus-on.ts'

afterEach(() => document.body.replaceChildren())

function draw(): void {
  document.body.innerHTML = `
    <input id="outside">
    <div role="dialog" tabindex="-1"><input id="first"><input id="second"><button id="send">Send</button></div>`
}

it.each(['outside', 'send'])('goes to the first field from %s', (from) => {
  draw()
  document.getElementById(from)?.focus()
  focusOn('first')
  expect(document.activeElement?.id).toBe('first')
})

it('leaves a reader who fills in another field already where they are', () => {
  draw()
  document.getElementById('second')?.focus()
  focusOn('first')
  expect(document.activeElement?.id).toBe('second')
})
