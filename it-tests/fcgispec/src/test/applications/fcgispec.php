<?php
// The application that fcgispec tests, for php-fpm. README.md says what each query has to answer.

[$action, $argument] = explode('=', $_SERVER['QUERY_STRING'] ?? '', 2) + ['', ''];
header('Content-Type: text/plain; charset=iso-8859-1');

switch ($action) {
    case 'variables':
        echo "REQUEST_METHOD={$_SERVER['REQUEST_METHOD']}\n";
        foreach ($_SERVER as $name => $value) {
            if (str_starts_with($name, 'FCGISPEC_') || str_starts_with($name, 'HTTP_FCGISPEC_')) {
                echo "$name=$value\n";
            }
        }
        break;
    case 'echo':
        header('Content-Type: application/octet-stream');
        echo file_get_contents('php://input');
        break;
    case 'size':
        echo substr(str_repeat(implode(range('a', 'z')), intdiv((int) $argument, 26) + 1), 0, (int) $argument);
        break;
    case 'ignore':
        echo "ignored\n";
        break;
    case 'status':
        http_response_code((int) $argument);
        break;
    case 'location':
        header("Location: $argument", true, 302);
        break;
    case 'cookies':
        header('Set-Cookie: a=1', false);
        header('Set-Cookie: b=2', false);
        break;
    case 'injection':
        header("X-Value: a\r\nX-Injected: b");
        break;
    case 'hop':
        header('Connection: close');
        header('Transfer-Encoding: chunked');
        break;
    case 'sleep':
        usleep((int) $argument * 1000);
        echo "slept\n";
        break;
    case 'flush':
        echo "first\n";
        flush();
        usleep((int) $argument * 1000);
        file_get_contents('php://input');
        echo "second\n";
        break;
    case 'stderr':
        error_log('fcgispec-error');
        echo "written\n";
        break;
    case 'exit':
        exit((int) $argument);
    case 'fail':
        echo "first\n";
        flush();
        throw new Exception('fcgispec');
    default:
        http_response_code(501);
}
