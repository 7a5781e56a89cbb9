/**
 * Loaded into the measured gateway process. Records its peak memory (heap and external) and at each SIGUSR2
 * writes it to the file named by `TOLLGATE_SAMPLES` and starts the next measurement.
 */
import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { getHeapStatistics } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

const EVERY_MS = 5
const path = process.env['TOLLGATE_SAMPLES']

if (isMainThread && path !== undefined) {
  let peakBytes = 0
  let peakRss = 0
  let longestMs = 0
  let sampledAt = performance.now()
  setInterval(() => {
    const now = performance.now()
    longestMs = Math.max(longestMs, now - sampledAt - EVERY_MS)
    sampledAt = now
    const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
    peakBytes = Math.max(peakBytes, heap + external)
    peakRss = Math.max(peakRss, process.memoryUsage.rss())
  }, EVERY_MS).unref()
  process.on('SIGUSR2', () => {
    writeFileSync(path, JSON.stringify({ peakBytes, peakRss, longestMs }))
    globalThis.gc?.()
    peakBytes = 0
    peakRss = 0
    longestMs = 0
  })
}
