// Loaded before each file of browser tests.
import { beforeEach } from 'vitest'
import { printLastSeen } from './last-seen.ts'

// So that a failure on another machine can be understood.
beforeEach(({ onTestFailed }) => onTestFailed(printLastSeen))
