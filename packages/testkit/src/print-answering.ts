import { answeringServers } from './databases.ts'
import { answeringRedis } from './redis.ts'

// Prints the names of the servers that answer tests, as a JSON array. The scripts run it to learn which ones to start.

const [databases, redis] = await Promise.all([answeringServers(), answeringRedis()])
const names = databases.map(({ label }) => (label === 'PostgreSQL' ? 'postgres' : 'mysql'))
process.stdout.write(JSON.stringify(redis ? [...names, 'redis'] : names))
