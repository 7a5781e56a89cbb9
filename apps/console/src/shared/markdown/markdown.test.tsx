import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { Markdown } from './markdown.tsx'
import { OperatorContent, OperatorLine } from './operator-content.tsx'

it('renders raw HTML without effect', () => {
  render(<Markdown text={'<img src=x onerror="alert(1)"> <script>alert(1)</script> **bold**'} />)
  expect(document.querySelector('img, script')).toBeNull()
  expect(screen.getByText('bold').tagName).toBe('STRONG')
})

it('does not link to scripts', () => {
  render(<Markdown text="[press](javascript:alert(1)) [read](https://example.com)" />)
  expect(screen.getByText('press').getAttribute('href') ?? '').not.toContain('javascript')
  expect(screen.getByText('read').getAttribute('rel')).toContain('noopener')
})

it.each([
  'https://pictures.example/a.png?q=what-was-said',
  'http://pictures.example/a.png',
  '//pictures.example/a.png',
])('loads an image from another host only after a click: %s', async (address) => {
  const user = userEvent.setup()
  render(<Markdown text={`Look: ![a cat](${address})`} />)
  expect(document.querySelector('img')).toBeNull()
  expect(screen.getByText('Picture from pictures.example')).toBeTruthy()
  await user.tab()
  await user.keyboard('{Enter}')
  const picture = screen.getByRole('img', { name: 'a cat' })
  expect(picture.getAttribute('referrerpolicy')).toBe('no-referrer')
  expect(new URL(picture.getAttribute('src') ?? '', location.href).host).toBe('pictures.example')
})

it('requires another click when the address of an image changes', async () => {
  const user = userEvent.setup()
  const { rerender } = render(<Markdown text="![a](https://one.example/a)" />)
  await user.click(screen.getByRole('button', { name: /Load picture/ }))
  expect(document.querySelector('img')).not.toBeNull()
  rerender(<Markdown text="![a](https://one.example/ab)" />)
  expect(document.querySelector('img')).toBeNull()
})

it('does not follow the surrounding link when an image is loaded', async () => {
  const user = userEvent.setup()
  const onClick = vi.fn((event: MouseEvent) => event.defaultPrevented)
  document.addEventListener('click', onClick)
  render(<Markdown text="[![a](https://one.example/a)](https://two.example/)" />)
  await user.click(screen.getByRole('button', { name: /Load picture/ }))
  expect(onClick.mock.results.map(({ value }) => value)).toEqual([true])
  document.removeEventListener('click', onClick)
})

it.each(['data:image/png;base64,iVBORw0KGgo=', '/api/picture.png', `${location.origin}/a.png`])(
  'shows an inline image or one from this site at once: %s',
  (address) => {
    render(<Markdown text={`![a cat](${address})`} />)
    expect(screen.getByRole('img', { name: 'a cat' }).getAttribute('src')).toBe(address)
  },
)

it.each(['data:text/html,x', 'javascript:alert(1)', 'blob:https://x/1', 'data:image/svg+xml,<svg/>'])(
  'does not show an image with an unsafe address: %s',
  (address) => {
    render(<Markdown text={`![a cat](<${address}>)`} />)
    expect(document.querySelector('img')).toBeNull()
    expect(screen.queryByRole('button')).toBeNull()
  },
)

it('shows the images of the operator at once', () => {
  render(<OperatorContent title="About" text="Us: ![our house](https://pictures.example/house.png)" />)
  expect(screen.getByRole('img', { name: 'our house' })).toBeTruthy()
})

it('copies code as it was written, without its highlighting', async () => {
  const writeText = vi.fn(() => Promise.resolve())
  const user = userEvent.setup()
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText)
  render(<Markdown text={'```ts\nconst a = "b"\n```'} />)
  expect(document.querySelector('.hljs-keyword')?.textContent).toBe('const')
  await user.click(screen.getByRole('button', { name: 'Copy code' }))
  expect(writeText).toHaveBeenCalledExactlyOnceWith('const a = "b"\n')
})

it('sanitises HTML written by the operator', () => {
  render(<OperatorContent title="About" text={'<p>Hello <b>you</b><img src=x onerror="alert(1)"></p>'} />)
  expect(screen.getByText('you').tagName).toBe('B')
  expect(document.querySelector('img')?.getAttribute('onerror')).toBeNull()
})

it('shows a line that contains a tag as sanitised HTML, and any other as Markdown', () => {
  const line = '© Gate · <a href="https://gate.example" onclick="alert(1)">ICP 1</a><script>alert(1)</script>'
  const { container, rerender } = render(<OperatorLine text={line} />)
  expect(container.textContent).toBe('© Gate · ICP 1')
  expect(screen.getByRole('link', { name: 'ICP 1' }).getAttribute('onclick')).toBeNull()
  expect(container.querySelector('script')).toBeNull()
  rerender(<OperatorLine text="5 < 6, see [us](https://gate.example)" />)
  expect(container.textContent).toContain('5 < 6, see us')
})

it('shows an address in a sandboxed frame without access to the console', () => {
  render(<OperatorContent title="About" text="https://example.com/about" />)
  const frame = screen.getByTitle('About')
  expect(frame.getAttribute('sandbox')).not.toContain('allow-same-origin')
})
