/** Words that engineers use for one another, a line for each meaning. */
export const meanings = `
durable persist persistent store save record disk
drop lose disconnect close abort reset broken
retry attempt again redo backoff resend
wait sleep delay block pause idle
timeout deadline expire ttl
start begin launch boot init initialize spawn setup
stop end terminate shutdown kill quit exit close finish halt
delete remove drop destroy clear purge unlink erase
cleanup clean dispose release free
create make new build construct add
send deliver emit publish dispatch push post transmit
receive consume recv accept incoming inbound
fetch load get read retrieve pull
check validate verify assert ensure guard
error failure exception fail panic fault
find search lookup match locate resolve query discover
choose select pick decide determine
limit cap max maximum throttle bound quota
cache memo memoize memory remember known
order sort priority precedence
parse decode read deserialize unmarshal interpret
encode serialize marshal format dump stringify
config configuration option setting preference
login credential authenticate auth authorization
job task work unit
step stage operation
queue backlog buffer
lock mutex reserve claim acquire lease
skip ignore exclude filter hide omit
colour color
path route url address uri
address ip host remote
site origin domain host
placeholder param parameter wildcard variable
payload body content
answer response reply result
reader parser decoder
hit match result found
alphabetical sort order
upper lower case
uppercase lowercase case
broker server host
failover alternate fallback next
offline unreachable disconnect partition
machine server node peer host
manual recover hand
discard trim truncate compact throw drop
loop iterate each enumerate
confirm ack acknowledge commit
crash panic recover exception
long length max size
big max size limit large
slow timeout deadline expire
twice again repeat
login auth authentication session
safe trust allow secure
refuse reject deny forbid disallow
allow enable permit accept
keep retain preserve hold
combine batch merge group
lazy defer demand
import load require
environment env
underlying inner transport base
current active
charset encoding
setting option config
reload refresh change
progress active busy inflight pending
recover restore
restore requeue resume return
resume continue checkpoint cursor
deploy restart interrupt
rest remaining other
failure outcome handled broken
block open circuit
large big huge
customer user client
visitor client remote
compute calculate
want demand
host hostname
forget expire evict
idle keepalive
merge combine join concat concatenate
split divide partition chunk
copy clone duplicate
print show display render output
watch observe listen monitor subscribe
change modify update mutate alter edit
size length count
crash die kill dead death
concurrent parallel thread simultaneous multithread
leader elect vote election
compress gzip zip deflate
expand extend interpolate
plugin extension addon middleware
hook callback handler listener
child sub nested
parent super
replace substitute swap
reuse pool recycle
connect connection dial
message mail letter packet
schedule cron periodic interval
undo rollback revert
guess infer detect sniff
convert transform coerce cast translate
escape quote sanitize
template placeholder
redirect follow
upgrade migrate
snapshot checkpoint
replicate sync propagate
stream chunk
sign signature
encrypt cipher
hash digest checksum
`

/** Words that mean the opposite: what undoes something is not how it is done. */
export const opposites = `
start stop
begin end
open close
add remove
create delete
create destroy
spawn kill
lock unlock
acquire release
send receive
push pop
push pull
encode decode
serialize deserialize
marshal unmarshal
subscribe unsubscribe
connect disconnect
read write
load save
enable disable
show hide
mount unmount
attach detach
register unregister
allow deny
accept reject
enter exit
enter leave
compress decompress
encrypt decrypt
commit rollback
`
