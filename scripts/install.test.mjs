import { expect, test } from 'vitest'
import { explainMissingNode } from './install.mjs'

test.each([
  ['darwin', 'arm64', '20.19.0'],
  ['darwin', 'x64', '22.12.0'],
  ['darwin', 'arm64', '24.6.0'],
  ['freebsd', 'x64', '20.0.0'],
  ['win32', 'arm64', '22.0.0'],
])('%s-%s with Node %s reads what to do before anything is installed', (platform, arch, version) => {
  const words = explainMissingNode({ platform, arch, version })
  expect(words).toContain('Node 24.7 or newer')
  expect(words).toContain(version)
  expect(words).toContain(platform === 'darwin' ? 'brew install node@24' : 'https://nodejs.org')
})

test.each([
  ['linux', 'x64', '20.0.0'],
  ['linux', 'arm64', '22.0.0'],
  ['win32', 'x64', '20.0.0'],
  ['darwin', 'arm64', '24.7.0'],
  ['darwin', 'arm64', '24.10.1'],
  ['freebsd', 'x64', '25.0.0'],
])('%s-%s with Node %s goes on', (platform, arch, version) => {
  expect(explainMissingNode({ platform, arch, version })).toBeUndefined()
})
