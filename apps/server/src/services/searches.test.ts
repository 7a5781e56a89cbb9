import { expect, test } from 'vitest'
import { Searches } from './searches.ts'

test('per user one search runs, one waits and a third is refused; other users are independent', async () => {
  const searches = new Searches()
  const first = Promise.withResolvers<string>()
  const begun: string[] = []
  const search = (name: string, result: Promise<string>) => () => {
    begun.push(name)
    return result
  }
  const one = searches.alone(7, search('one', first.promise))
  const two = searches.alone(7, search('two', Promise.resolve('found')))
  await expect(searches.alone(7, search('three', first.promise))).rejects.toThrow('search_running')
  expect(await searches.alone(8, search('other', Promise.resolve('found')))).toBe('found')
  expect(begun).toEqual(['one', 'other'])
  first.reject(new Error('too long'))
  await expect(one).rejects.toThrow('too long')
  expect(await two).toBe('found')
  expect(await searches.alone(7, search('four', Promise.resolve('again')))).toBe('again')
})
