import { expect, test } from 'vitest'
import { resultSource } from './result-address.ts'

test('files served by the gateway use a relative address, all others keep theirs', () => {
  expect(resultSource('http://localhost:3000/mj/image/a1?key=k&rand=1')).toBe('/mj/image/a1?key=k&rand=1')
  expect(resultSource('https://gw.test/v1/videos/task_1/content?key=k')).toBe(
    '/v1/videos/task_1/content?key=k',
  )
  expect(resultSource('https://there.example/a.png')).toBe('https://there.example/a.png')
})

test.each(['', 'javascript:alert(1)', 'data:text/html,x', 'nonsense'])(
  '%j is not accepted as an address',
  (address) => {
    expect(resultSource(address)).toBe('')
  },
)
