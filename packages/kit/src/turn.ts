import process from 'node:process'

/**
 * The end of a turn of the event loop, when everything was read that was readable as the turn began:
 *
 * 1. `handle`: what was read, requests of callers and responses of upstreams;
 * 2. `write`: the lines of the journal that this made;
 * 3. `send`: the requests to upstreams whose lines are written.
 *
 * Between two stages everything goes on that waited for promises, so a call may pass all of them in one turn. So many
 * calls pass a stage one after the other, and find its code and data in the caches of the processor; handling each as it is read
 * takes a third more processor time with 32 calls at once (`docs/adr/0059-stages-of-a-turn.md`).
 */
export type Stage = 'handle' | 'write' | 'send'

type Task = () => void

const tasks: Record<Stage, Task[]> = { handle: [], write: [], send: [] }
let isScheduled = false

/** Runs the task in this stage of the turn; in that of the next one if the stage is over. */
export function inStage(stage: Stage, task: Task): void {
  tasks[stage].push(task)
  if (isScheduled) return
  isScheduled = true
  schedule()
}

/** Node runs the immediates of a turn in their order, and after each what waits for promises. */
function schedule(): void {
  setImmediate(run, 'handle')
  setImmediate(run, 'write')
  setImmediate(endTurn)
}

function endTurn(): void {
  isScheduled = tasks.handle.length + tasks.write.length > 0
  if (isScheduled) schedule()
  run('send')
}

function run(stage: Stage): void {
  const ready = tasks[stage]
  if (ready.length === 0) return
  tasks[stage] = []
  for (const task of ready) {
    try {
      task()
    } catch (error) {
      // A bug in one task must not keep the others from their stage.
      process.nextTick(rethrow, error)
    }
  }
}

function rethrow(error: unknown): never {
  throw error
}
