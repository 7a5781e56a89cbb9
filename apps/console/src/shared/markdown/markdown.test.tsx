import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { Markdown } from './markdown.tsx'
import { OperatorContent, OperatorLine } from './operator-content.tsx'

it('leaves raw HTML without effect', () => {
  render(<Markdown text={'<img src=x onerror="alert(1)"> <script>alert(1)</script> **bold**'} />)
  expect(document.querySelector('img, script')).toBeNull()
  expect(screen.getByText('bold').tagName).toBe('STRONG')
})

it('does not link to scripts', () => {
  render(<Markdown text="[press](javascript:alert(1)) [read](https://example.com)" />)
  expect(screen.getByText('press').getAttribute('href') ?? '').not.toContain('javascript')
  expect(screen.getByText('read').getAttribute('rel')).toContain('noopener')
})

it('copies the code as it was written, without its colours', async () => {
  const writeText = vi.fn(() => Promise.resolve())
  const user = userEvent.setup()
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText)
  render(<Markdown text={'```ts\nconst a = "b"\n```'} />)
  expect(document.querySelector('.hljs-keyword')?.textContent).toBe('const')
  await user.click(screen.getByRole('button', { name: 'Copy code' }))
  expect(writeText).toHaveBeenCalledExactlyOnceWith('const a = "b"\n')
})

it('cleans what the operator wrote in HTML', () => {
  render(<OperatorContent title="About" text={'<p>Hello <b>you</b><img src=x onerror="alert(1)"></p>'} />)
  expect(screen.getByText('you').tagName).toBe('B')
  expect(document.querySelector('img')?.getAttribute('onerror')).toBeNull()
})

it('shows a line with a tag anywhere in it as HTML, cleaned, and any other as Markdown', () => {
  const line = '© Gate · <a href="https://gate.example" onclick="alert(1)">ICP 1</a><script>alert(1)</script>'
  const { container, rerender } = render(<OperatorLine text={line} />)
  expect(container.textContent).toBe('© Gate · ICP 1')
  expect(screen.getByRole('link', { name: 'ICP 1' }).getAttribute('onclick')).toBeNull()
  expect(container.querySelector('script')).toBeNull()
  rerender(<OperatorLine text="5 < 6, see [us](https://gate.example)" />)
  expect(container.textContent).toContain('5 < 6, see us')
})

it('shows an address in a frame that may not touch the console', () => {
  render(<OperatorContent title="About" text="https://example.com/about" />)
  const frame = screen.getByTitle('About')
  expect(frame.getAttribute('sandbox')).not.toContain('allow-same-origin')
})
