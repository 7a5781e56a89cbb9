type Task = () => void

let endTasks: Task[] = []
let afterTasks: Task[] = []
let isScheduled = false

/**
 * Runs the task at the end of this turn of the event loop: after everything was read that was readable when the turn
 * began, and before the loop waits again.
 */
export function atEndOfTurn(task: Task): void {
  endTasks.push(task)
  schedule()
}

/**
 * Runs the task in the same turn, after the tasks of {@link atEndOfTurn} and after everything that waited for promises
 * that those resolved.
 */
export function afterEndOfTurn(task: Task): void {
  afterTasks.push(task)
  schedule()
}

/** Node continues everything that waits for a promise between two immediates of a turn. */
function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(() => {
    const tasks = endTasks
    endTasks = []
    run(tasks)
  })
  setImmediate(() => {
    isScheduled = false
    const tasks = afterTasks
    afterTasks = []
    // A task that one of the others added after the first immediate.
    if (endTasks.length > 0) schedule()
    run(tasks)
  })
}

/** If one task throws, the others run all the same, in the next turn. */
function run(tasks: readonly Task[]): void {
  let done = 0
  try {
    for (const task of tasks) {
      done++
      task()
    }
  } finally {
    if (done < tasks.length) setImmediate(run, tasks.slice(done))
  }
}
