<?php
namespace App\Http;

use Vendor\Lib\{Client as C, Server};
use Vendor\Log;
use function Vendor\Lib\helper;

require_once __DIR__ . '/boot.php';

/**
 * The kernel.
 *
 * @author someone
 */
#[Route('/x')]
final class Kernel extends Base implements Runs, Stops //= class Kernel
{
    use Logs;
    public function __construct(private int $port) {} //= method/constructor Kernel.__construct

    /** Handles a request. */
    #[Test]
    public static function handle(Request $r, ?string $to = null): ?array //= method Kernel.handle
    {
        if ($r) { $this->go(); self::stop(); helper(new C()); }
        $f = fn($x) => $x;
        return null;
    }
    abstract protected function boot(); //= method Kernel.boot
}

interface Runs { function run(int $n); } //= class/interface Runs; method Runs.run
trait Logs { function log() {} } //= class/trait Logs; method Logs.log
enum Suit: string { case H = 'h'; function label() {} } //= class/enum Suit; method Suit.label

function top($a) { //= function top
    function inner() {} //= function top.inner
}
