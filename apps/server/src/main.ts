import cluster from 'node:cluster'
import { startServer } from './app/index.ts'
import { openLog, type ProcessLog } from './app/logging.ts'
import { refuseToStart } from './app/refuse-to-start.ts'
import { type Config, loadConfig } from './config/index.ts'
import { runPrimary } from './process/primary.ts'
import { leaveNow, stopOnBugs, stopOnSignals, stopping } from './process/stop.ts'
import { runWorker } from './process/worker.ts'

// The process: configuration, start, signals, stop. Everything else is created by app.ts, so that tests can
// create it too.

const config = configure()
const processLog = openLog(config)
const { log } = processLog
if (cluster.isWorker) await runWorker(config, log)
else {
  for (const warning of config.warnings) log.warn(warning)
  await (config.workers > 1 ? runPrimary(config, processLog) : runAlone(config, processLog))
}

async function runAlone(config: Config, { log, print }: ProcessLog): Promise<void> {
  let isServing = false
  const onFatal = (error: unknown): never => (isServing ? leaveNow(log, error) : refuseToStart(error))
  const server = await startServer(config, { log, onFatal }).catch(refuseToStart)
  isServing = true
  const stop = stopping(server, log)
  stopOnSignals(stop)
  stopOnBugs(stop, log)
  // Printed last, because a supervisor that reads this line may stop the process at once.
  print(`Tollgate is ready at ${server.address}`)
}

function configure(): Config {
  try {
    return loadConfig()
  } catch (error) {
    return refuseToStart(error)
  }
}
