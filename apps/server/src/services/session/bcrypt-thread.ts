import { parentPort, workerData } from 'node:worker_threads'
import { compareSync } from 'bcryptjs'

/** The starter of this thread passes the password and the stored hash as `workerData`. */
const { password, stored }: { password: string; stored: string } = workerData

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(compareSync(password, stored))
